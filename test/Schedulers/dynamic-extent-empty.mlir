// The sum of no elements is +0.0, also where only the launch knows that there are none;
// that of negative zeros is -0.0, from which sums start otherwise.
// DEFINE: %{function} =
// DEFINE: %{run} = fusion-runner %s --function=%{function} --device=sim --verify --print-plan --output-dir=%t
// DEFINE: %{print} = %{python} %S/../Tools/fusion-runner/Inputs/npy.py print %t
// REDEFINE: %{function} = columns
// RUN: %{run} --shape=0=0x8 | FileCheck %s --check-prefix=COLUMNS
// COLUMNS: outer-reduction
// RUN: %{print}/result0.npy | FileCheck %s --check-prefix=ZEROS
// RUN: %{run} --shape=0=3x8 --input=0=const:-0.0
// RUN: %{print}/result0.npy | FileCheck %s --check-prefix=NEGATIVE
// REDEFINE: %{function} = all
// RUN: %{run} --shape=0=0x8 | FileCheck %s --check-prefix=ALL
// ALL: full-reduction
// RUN: %{print}/result0.npy | FileCheck %s --check-prefix=ZERO
// RUN: %{run} --shape=0=3x8 --input=0=const:-0.0
// RUN: %{print}/result0.npy | FileCheck %s --check-prefix=NEGATIVE
// REDEFINE: %{function} = rows_and_columns
// RUN: %{run} --shape=0=0x8 | FileCheck %s --check-prefix=ROWS
// ROWS: inner-outer-persistent
// RUN: %{print}/result1.npy | FileCheck %s --check-prefix=ZEROS
// RUN: %{run} --shape=0=3x8 --input=0=const:-0.0
// RUN: %{print}/result1.npy | FileCheck %s --check-prefix=NEGATIVE
// ZERO: () 0.0
// ZEROS: (8,) 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0
// NEGATIVE: ) -0.0

func.func @columns(%x: tensor<?x8xf32>) -> tensor<8xf32> {
  %0 = fusion.reduce add %x dims = [0] : tensor<?x8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func @all(%x: tensor<?x8xf32>) -> tensor<f32> {
  %0 = fusion.reduce add %x dims = [0, 1] : tensor<?x8xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @rows_and_columns(%x: tensor<?x8xf32>) -> (tensor<?xf32>, tensor<8xf32>) {
  %0 = fusion.reduce add %x dims = [1] : tensor<?x8xf32> -> tensor<?xf32>
  %1 = fusion.reduce add %x dims = [0] : tensor<?x8xf32> -> tensor<8xf32>
  return %0, %1 : tensor<?xf32>, tensor<8xf32>
}

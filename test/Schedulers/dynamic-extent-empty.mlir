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
// The greatest of no numbers is the least of the narrow type, though threads
// compare in a wider one.
// REDEFINE: %{function} = extrema
// RUN: %{run} --shape=0=0x8 | FileCheck %s --check-prefix=EXTREMA
// EXTREMA: inner-outer-persistent
// EXTREMA: result 1: passed
// EXTREMA: result 2: passed
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

func.func @extrema(%x: tensor<?x8xi8>) -> (tensor<?xi8>, tensor<8xi8>, tensor<8xi16>) {
  %0 = fusion.reduce add %x dims = [1] : tensor<?x8xi8> -> tensor<?xi8>
  %1 = fusion.reduce maxsi %x dims = [0] : tensor<?x8xi8> -> tensor<8xi8>
  %2 = arith.extsi %x : tensor<?x8xi8> to tensor<?x8xi16>
  %3 = fusion.reduce minsi %2 dims = [0] : tensor<?x8xi16> -> tensor<8xi16>
  return %0, %1, %3 : tensor<?xi8>, tensor<8xi8>, tensor<8xi16>
}

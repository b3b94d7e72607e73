// Reports about where a NaN goes. Each program is run on the simulator, on fewer rows and
// columns.
// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s
// DEFINE: %{npy} = %{python} %S/../Tools/fusion-runner/Inputs/npy.py
// DEFINE: %{run} = fusion-runner %t.out/small.mlir --device=sim --verify
// RUN: rm -rf %t.out && mkdir %t.out
// RUN: sed -e 's/4096x2048/3x8/g' -e 's/<4096x/<3x/g' -e 's/<2048x/<8x/g' %s > %t.out/small.mlir
// RUN: %{npy} write %t.out/nan.npy "<f4" "(3, 8)" 1 2 nan -4 5 6 7 -8 nan nan nan nan nan nan nan nan 1 -2 3 4 5 inf 7 8

// PyTorch 189161: the maximum inside a softmax need not propagate a NaN: the exponential of
// the element does, into the sum of its row, and so into the whole row.
// 2 (4096 2048 4) = 67108864 bytes.
// RUN: %{npy} write %t.out/equal.npy "<f4" "(3, 8)" 1 2 nan 4 5 6 7 8 nan nan nan nan nan nan nan nan 3 3 3 3 3 3 3 3
// RUN: %{run} --function=softmax_without_nan_rule --input=0=%t.out/equal.npy --output-dir=%t.out
// RUN: %{npy} print %t.out/result0.npy | FileCheck %s --check-prefix=SOFTMAX
// SOFTMAX: (3, 8){{( nan){16}( 0.125){8}$}}
// CHECK-LABEL: plan of @softmax_without_nan_rule: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 67108864 bytes, 0 of them between segments
func.func @softmax_without_nan_rule(%x: tensor<4096x2048xf32>) -> tensor<4096x2048xf32> {
  %m = fusion.reduce maxnumf %x dims = [1] : tensor<4096x2048xf32> -> tensor<4096xf32>
  %mb = fusion.broadcast %m dims = [0] : tensor<4096xf32> -> tensor<4096x2048xf32>
  %d = arith.subf %x, %mb : tensor<4096x2048xf32>
  %e = math.exp %d : tensor<4096x2048xf32>
  %s = fusion.reduce add %e dims = [1] : tensor<4096x2048xf32> -> tensor<4096xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<4096xf32> -> tensor<4096x2048xf32>
  %y = arith.divf %e, %sb : tensor<4096x2048xf32>
  return %y : tensor<4096x2048xf32>
}

// IREE 24503: maximumf and minimumf give NaN where there is one, maxnumf and minnumf only
// where there is nothing else. x, 4096 2048 4 = 33554432 bytes, is read once for all four,
// each of 4096 4 = 16384: 33619968.
// RUN: %{run} --function=nan_rules_of_rows --input=0=%t.out/nan.npy --output-dir=%t.out
// RUN: %{npy} print %t.out/result0.npy | FileCheck %s --check-prefix=MAXIMUM
// RUN: %{npy} print %t.out/result1.npy | FileCheck %s --check-prefix=MAXNUM
// RUN: %{npy} print %t.out/result3.npy | FileCheck %s --check-prefix=MINNUM
// MAXIMUM: (3,) nan nan inf
// MAXNUM: (3,) 7.0 nan inf
// MINNUM: (3,) -8.0 nan -2.0
// CHECK-LABEL: plan of @nan_rules_of_rows: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 33619968 bytes, 0 of them between segments
func.func @nan_rules_of_rows(%x: tensor<4096x2048xf32>) -> (tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>) {
  %0 = fusion.reduce maximumf %x dims = [1] : tensor<4096x2048xf32> -> tensor<4096xf32>
  %1 = fusion.reduce maxnumf %x dims = [1] : tensor<4096x2048xf32> -> tensor<4096xf32>
  %2 = fusion.reduce minimumf %x dims = [1] : tensor<4096x2048xf32> -> tensor<4096xf32>
  %3 = fusion.reduce minnumf %x dims = [1] : tensor<4096x2048xf32> -> tensor<4096xf32>
  return %0, %1, %2, %3 : tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>
}

// The same of columns: one kernel, and where blocks share columns a finish. 33554432 +
// 2 (2048 4) = 33570816 bytes, and partial results of two columns for each of at most 132
// blocks, written and read: less than 4.4 MB.
// RUN: %{run} --function=nan_rules_of_columns --input=0=%t.out/nan.npy --output-dir=%t.out
// RUN: %{npy} print %t.out/result0.npy | FileCheck %s --check-prefix=COLUMNS
// RUN: %{npy} print %t.out/result1.npy | FileCheck %s --check-prefix=SKIPPED
// COLUMNS: (8,) nan nan nan nan nan nan nan nan
// SKIPPED: (8,) 1.0 2.0 3.0 4.0 5.0 inf 7.0 8.0
// CHECK-LABEL: plan of @nan_rules_of_columns: 1 segment, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves 3{{(3[5-9]|[4-7][0-9])[0-9]+}} bytes, 0 of them between segments
func.func @nan_rules_of_columns(%x: tensor<4096x2048xf32>) -> (tensor<2048xf32>, tensor<2048xf32>) {
  %0 = fusion.reduce maximumf %x dims = [0] : tensor<4096x2048xf32> -> tensor<2048xf32>
  %1 = fusion.reduce maxnumf %x dims = [0] : tensor<4096x2048xf32> -> tensor<2048xf32>
  return %0, %1 : tensor<2048xf32>, tensor<2048xf32>
}

// The same of all elements: 33554432 + 2 4 = 33554440 bytes, and two partial results for
// each of at most 1056 blocks, written and read: less than 17 KB.
// RUN: %{run} --function=nan_rules_of_all --input=0=%t.out/nan.npy --output-dir=%t.out
// RUN: %{npy} print %t.out/result0.npy | FileCheck %s --check-prefix=ALL
// RUN: %{npy} print %t.out/result1.npy | FileCheck %s --check-prefix=LEAST
// ALL: () nan
// LEAST: () -8.0
// CHECK-LABEL: plan of @nan_rules_of_all: 1 segment, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves 335{{[567][0-9]+}} bytes, 0 of them between segments
func.func @nan_rules_of_all(%x: tensor<4096x2048xf32>) -> (tensor<f32>, tensor<f32>) {
  %0 = fusion.reduce minimumf %x dims = [0, 1] : tensor<4096x2048xf32> -> tensor<f32>
  %1 = fusion.reduce minnumf %x dims = [0, 1] : tensor<4096x2048xf32> -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// XLA 21461: the same NaN as a parameter and as a constant. maxnumf with the constant is x,
// which the host copies; the other three are written: 4 (4096 2048 4) + 4 = 134217732
// bytes.
// RUN: %{run} --function=nan_operand --input=0=%t.out/nan.npy --input=1=const:nan --output-dir=%t.out
// RUN: %{npy} print %t.out/result0.npy | FileCheck %s --check-prefix=PROPAGATED
// RUN: %{npy} print %t.out/result1.npy | FileCheck %s --check-prefix=IGNORED
// RUN: %{npy} print %t.out/result2.npy | FileCheck %s --check-prefix=PROPAGATED
// RUN: %{npy} print %t.out/result3.npy | FileCheck %s --check-prefix=IGNORED
// PROPAGATED: (3, 8){{( nan){24}$}}
// IGNORED: (3, 8) 1.0 2.0 nan -4.0 5.0 6.0 7.0 -8.0
// CHECK-LABEL: plan of @nan_operand: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 134217732 bytes, 0 of them between segments
func.func @nan_operand(%x: tensor<4096x2048xf32>, %p: tensor<f32>) -> (tensor<4096x2048xf32>, tensor<4096x2048xf32>, tensor<4096x2048xf32>, tensor<4096x2048xf32>) {
  %n = arith.constant dense<0x7FC00000> : tensor<4096x2048xf32>
  %b = fusion.broadcast %p dims = [] : tensor<f32> -> tensor<4096x2048xf32>
  %0 = arith.maximumf %x, %b : tensor<4096x2048xf32>
  %1 = arith.maxnumf %x, %b : tensor<4096x2048xf32>
  %2 = arith.maximumf %x, %n : tensor<4096x2048xf32>
  %3 = arith.maxnumf %x, %n : tensor<4096x2048xf32>
  return %0, %1, %2, %3 : tensor<4096x2048xf32>, tensor<4096x2048xf32>, tensor<4096x2048xf32>, tensor<4096x2048xf32>
}

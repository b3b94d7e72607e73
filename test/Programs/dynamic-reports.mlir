// Reports about extents that only the launch knows: what the program costs, and values for
// several extents. In a plan for any extent a dynamic one counts as 4096.
// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s
// DEFINE: %{run} = fusion-runner %s --device=sim --verify

// nvFuser 2046, its dynamic form: gamma is expanded to the extent of dy, rows and their
// statistics are known to be as many. As with 4096 rows: 3 (4096 8192 4) = 402653184 bytes,
// vectors of 4096 4 and 8192 4, and partial sums of two columns, 65536 bytes for each of at
// most 132 blocks, written and read: less than 5 % more.
// RUN: %{run} --function=layer_norm_backward_dynamic --shape=0=3x8192 --shape=1=3x8192 --shape=2=3x1 --shape=3=3x1
// CHECK-LABEL: plan of @layer_norm_backward_dynamic: 1 segment, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves 4{{((0[3-9]|1[0-9]|2[01])[0-9]{6})}} bytes, 0 of them between segments
func.func @layer_norm_backward_dynamic(%dy: tensor<?x8192xf32>, %x: tensor<?x8192xf32>, %mean: tensor<?x1xf32>, %rstd: tensor<?x1xf32>, %gamma: tensor<8192xf32>) -> (tensor<?x8192xf32>, tensor<8192xf32>, tensor<8192xf32>) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %dy, %c0 : tensor<?x8192xf32>
  %ms = fusion.squeeze %mean dims = [1] : tensor<?x1xf32> -> tensor<?xf32>
  %rs = fusion.squeeze %rstd dims = [1] : tensor<?x1xf32> -> tensor<?xf32>
  %mb = fusion.broadcast %ms dims = [0] : tensor<?xf32> -> tensor<?x8192xf32>
  %rb = fusion.broadcast %rs dims = [0] : tensor<?xf32> -> tensor<?x8192xf32>
  %gb = fusion.broadcast %gamma [%m] dims = [1] : tensor<8192xf32> -> tensor<?x8192xf32>
  %d = arith.subf %x, %mb : tensor<?x8192xf32>
  %h = arith.mulf %d, %rb : tensor<?x8192xf32>
  %w = arith.mulf %dy, %gb : tensor<?x8192xf32>
  %wh = arith.mulf %w, %h : tensor<?x8192xf32>
  %s1 = fusion.reduce add %w dims = [1] : tensor<?x8192xf32> -> tensor<?xf32>
  %s2 = fusion.reduce add %wh dims = [1] : tensor<?x8192xf32> -> tensor<?xf32>
  %s1b = fusion.broadcast %s1 dims = [0] : tensor<?xf32> -> tensor<?x8192xf32>
  %s2b = fusion.broadcast %s2 dims = [0] : tensor<?xf32> -> tensor<?x8192xf32>
  %k = arith.constant 1.220703125e-4 : f32
  %ks = tensor.splat %k[%m] : tensor<?x8192xf32>
  %a = arith.mulf %h, %s2b : tensor<?x8192xf32>
  %b = arith.addf %a, %s1b : tensor<?x8192xf32>
  %bk = arith.mulf %b, %ks : tensor<?x8192xf32>
  %t = arith.subf %w, %bk : tensor<?x8192xf32>
  %dx = arith.mulf %t, %rb : tensor<?x8192xf32>
  %dyh = arith.mulf %dy, %h : tensor<?x8192xf32>
  %dg = fusion.reduce add %dyh dims = [0] : tensor<?x8192xf32> -> tensor<8192xf32>
  %db = fusion.reduce add %dy dims = [0] : tensor<?x8192xf32> -> tensor<8192xf32>
  return %dx, %dg, %db : tensor<?x8192xf32>, tensor<8192xf32>, tensor<8192xf32>
}

// nvFuser 2163 and 563: rows of an unknown length, long ones first. A row of 600000 8 =
// 4.8 MB is more than 16 multiprocessors hold, so that sums of parts, their sums and the
// quotients are at least two launches; the plan for them is not that for rows of 800 bytes,
// which stay on chip: one launch, and x and y once each, 2 (2 100 8) = 3200 bytes. Compiled
// programs are kept, and looked for, by shape.
// RUN: rm -rf %t.kept
// RUN: %{run} --function=normalize_rows --keep-compiled=%t.kept --shape=0=2x600000 --input=0=const:1 --print-plan | FileCheck %s --check-prefix=LONG
// RUN: %{run} --function=normalize_rows --keep-compiled=%t.kept --shape=0=2x100 --print-plan | FileCheck %s --check-prefix=SHORT
// RUN: %{run} --function=normalize_rows --keep-compiled=%t.kept --shape=0=2x600000 --input=0=const:1 --print-plan | FileCheck %s --check-prefix=KEPT
// KEPT: compiled before
// KEPT: plan: {{.*}} {{[23]}} launches
// KEPT: passed
// LONG: plan: {{[12]}} segments, {{[23]}} launches
// LONG: passed
// SHORT-NOT: compiled before
// SHORT: plan: 1 segments, 1 launches
// SHORT: predicted: 3200 bytes moved
// SHORT: passed
func.func @normalize_rows(%x: tensor<2x?xf64>) -> tensor<2x?xf64> {
  %s = fusion.reduce add %x dims = [1] : tensor<2x?xf64> -> tensor<2xf64>
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<2x?xf64>
  %b = fusion.broadcast %s [%n] dims = [0] : tensor<2xf64> -> tensor<2x?xf64>
  %y = arith.divf %x, %b : tensor<2x?xf64>
  return %y : tensor<2x?xf64>
}

// torch-mlir 3852 and 4743: two dynamic dimensions that a view merges and parts again, also
// where one of them is 1 when the program runs. The program is compiled for the shape: x
// is read and the result written, for 15 rows of 64 2 (15 64 4) = 7680 bytes. The views
// stand beside the kernel, or are gone where a dimension is 1.
// DEFINE: %{view} = %{run} --function=view_of_dynamic --print-plan
// RUN: %{view} --shape=0=3x5x64 | FileCheck %s --check-prefix=VIEW
// RUN: %{view} --shape=0=1x15x64 | FileCheck %s --check-prefix=VIEW
// RUN: %{view} --shape=0=15x1x64 | FileCheck %s --check-prefix=VIEW
// VIEW: plan: 1 segments, 1 launches, {{0|2}} operations outside segments
// VIEW: predicted: 7680 bytes moved
// VIEW: result 0: passed
func.func @view_of_dynamic(%x: tensor<?x?x64xf32>) -> tensor<?x?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.dim %x, %c0 : tensor<?x?x64xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?x64xf32>
  %0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x64xf32> into tensor<?x64xf32>
  %1 = fusion.reduce maximumf %0 dims = [1] : tensor<?x64xf32> -> tensor<?xf32>
  %2 = fusion.broadcast %1 dims = [0] : tensor<?xf32> -> tensor<?x64xf32>
  %3 = arith.subf %0, %2 : tensor<?x64xf32>
  %4 = tensor.expand_shape %3 [[0, 1], [2]] output_shape [%a, %b, 64] : tensor<?x64xf32> into tensor<?x?x64xf32>
  return %4 : tensor<?x?x64xf32>
}

// torch-mlir 2882: an extent that happens to be 1 is no broadcast: where the operands have
// another one, that is an error. 3 (4096 64 4) = 3145728 bytes.
// RUN: %{run} --function=add_dynamic --shape=0=1x64 --shape=1=1x64 | FileCheck %s --check-prefix=PASSED
// PASSED: result 0: passed
// RUN: not %{run} --function=add_dynamic --shape=0=1x64 --shape=1=5x64 2>&1 | FileCheck %s --check-prefix=UNEQUAL
// UNEQUAL: error: assertion failed: expected dimension 0 of argument 1 to be as large as dimension 0 of argument 0
// CHECK-LABEL: plan of @add_dynamic: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 3145728 bytes, 0 of them between segments
func.func @add_dynamic(%x: tensor<?x64xf32>, %y: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0 = arith.addf %x, %y : tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

// PyTorch 118379 and torch-mlir 3598, their dynamic form: the sum of a vector that turns out
// to have no elements is 0, the maximum -inf. One kernel and its finish; 4096 4 + 8 bytes
// and a few partial results.
// RUN: %{run} --function=reductions_of_dynamic --shape=0=0 --output-dir=%t.out | FileCheck %s --check-prefix=PASSED
// RUN: %{python} %S/../Tools/fusion-runner/Inputs/npy.py print %t.out/result0.npy | FileCheck %s --check-prefix=ZERO
// RUN: %{python} %S/../Tools/fusion-runner/Inputs/npy.py print %t.out/result1.npy | FileCheck %s --check-prefix=LEAST
// ZERO: () 0.0
// LEAST: () -inf
// CHECK-LABEL: plan of @reductions_of_dynamic: 1 segment, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves 16{{[3-9][0-9][0-9]}} bytes, 0 of them between segments
func.func @reductions_of_dynamic(%x: tensor<?xf32>) -> (tensor<f32>, tensor<f32>) {
  %0 = fusion.reduce add %x dims = [0] : tensor<?xf32> -> tensor<f32>
  %1 = fusion.reduce maximumf %x dims = [0] : tensor<?xf32> -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// nvFuser 1678, its dynamic form: the sum of as many equal values as y has elements is a
// product, and of none 0, also if the value is infinite. x is read and the result written,
// 2 (64 2) = 256 bytes, and 16 of the extent and of whether it is 0.
// RUN: %{run} --function=sum_of_expanded_dynamic --shape=1=70000 --input=0=const:0.5 | FileCheck %s --check-prefix=PASSED
// RUN: %{run} --function=sum_of_expanded_dynamic --shape=1=0 --input=0=const:inf --output-dir=%t.out | FileCheck %s --check-prefix=PASSED
// RUN: %{python} %S/../Tools/fusion-runner/Inputs/npy.py print %t.out/result0.npy | FileCheck %s --check-prefix=NOTHING
// NOTHING: (64,) 0 0 0 0
// CHECK-LABEL: plan of @sum_of_expanded_dynamic: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 272 bytes, 0 of them between segments
func.func @sum_of_expanded_dynamic(%x: tensor<64xbf16>, %y: tensor<?xbf16>) -> tensor<64xbf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %y, %c0 : tensor<?xbf16>
  %0 = fusion.broadcast %x [%n] dims = [0] : tensor<64xbf16> -> tensor<64x?xbf16>
  %1 = fusion.reduce add %0 dims = [1] fastmath<reassoc> : tensor<64x?xbf16> -> tensor<64xbf16>
  return %1 : tensor<64xbf16>
}

// PyTorch 187269, its dynamic form: sums of as many rows of two lengths, added. As with 4096
// rows: 4096 (2048 + 1024) 4 read and 4096 4 written, 50348032 bytes; between kernels at most
// the sums of one, written and read, 32768 more.
// RUN: %{run} --function=independent_sums --shape=0=3x2048 --shape=1=3x1024 | FileCheck %s --check-prefix=PASSED
// CHECK-LABEL: plan of @independent_sums: {{1 segment|2 segments}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves 503{{(48032|80800)}} bytes, {{(0|32768)}} of them between segments
func.func @independent_sums(%x: tensor<?x2048xf32>, %y: tensor<?x1024xf32>) -> tensor<?xf32> {
  %0 = fusion.reduce add %x dims = [1] : tensor<?x2048xf32> -> tensor<?xf32>
  %1 = fusion.reduce add %y dims = [1] : tensor<?x1024xf32> -> tensor<?xf32>
  %2 = arith.addf %0, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}

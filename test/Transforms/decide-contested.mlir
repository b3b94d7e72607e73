// A contested rewrite is made where the kernels that come out take less time.
// RUN: fusion-opt %s --fusion-reorder-reductions --fusion-decide-contested="schedulers=pointwise,outer-persistent,full-reduction" --remarks-filter=fusion-decide-contested --remark-policy=all -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: fusion-opt %s --fusion-reorder-reductions --fusion-decide-contested="schedulers=pointwise,outer-persistent,full-reduction max-separate=1" --remarks-filter=fusion-decide-contested --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=TOGETHER
// RUN: fusion-opt %s --pass-pipeline="builtin.module(func.func(fusion-reorder-reductions,fusion-decide-contested{schedulers=pointwise,outer-persistent,full-reduction}))" | FileCheck %s
// RUN: not fusion-opt %s --fusion-decide-contested=schedulers=other 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: fusion-runner %s --function=one_of_two --device=sim --verify
// RUN: fusion-runner %s --function=product_is_result --device=sim --verify

// OTHER: error: expected a registered scheduler, but got 'other'

// The product is written anyway: its sum rides along, and rewritten it would be
// another kernel. As written x, b, the product and the sum move once:
// 4 (64 32 + 64 128 + 64 32 128 + 64 128) = 1122304 bytes.
// REMARK: remark: [Missed] kept | Category:fusion-decide-contested | {{.*}}bytesWritten=1122304, launchesRewritten=2, launchesWritten=1, {{.*}}, outsideRewritten=0, outsideWritten=0, rules=distribute
// CHECK-LABEL: func.func @product_is_result(
// CHECK: %[[P:.*]] = arith.mulf
// CHECK-NEXT: %[[S:.*]] = fusion.reduce add %[[P]] dims = [1] fastmath<reassoc> : tensor<64x32x128xf32> -> tensor<64x128xf32>
// CHECK-NEXT: return %[[P]], %[[S]]
func.func @product_is_result(%x: tensor<64x32xf32>, %b: tensor<64x128xf32>) -> (tensor<64x32x128xf32>, tensor<64x128xf32>) {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
  %1 = fusion.broadcast %b dims = [0, 2] : tensor<64x128xf32> -> tensor<64x32x128xf32>
  %2 = arith.mulf %0, %1 fastmath<reassoc> : tensor<64x32x128xf32>
  %3 = fusion.reduce add %2 dims = [1] fastmath<reassoc> : tensor<64x32x128xf32> -> tensor<64x128xf32>
  return %2, %3 : tensor<64x32x128xf32>, tensor<64x128xf32>
}

// The product is computed for the first sum, which may not be reordered. No
// kernel does both sums, so that the second costs a kernel either way; the
// rewritten one has fewer points.
// REMARK: remark: [Passed] applied | Category:fusion-decide-contested | {{.*}}launchesRewritten=2, launchesWritten=2, {{.*}}rules=distribute
// CHECK-LABEL: func.func @one_of_two(
// CHECK: fusion.reduce add %{{.*}} dims = [2] : tensor<64x32x128xf32>
// CHECK: fusion.reduce add %{{.*}} dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
func.func @one_of_two(%x: tensor<64x32xf32>, %b: tensor<64x128xf32>) -> (tensor<64x32xf32>, tensor<64x128xf32>) {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
  %1 = fusion.broadcast %b dims = [0, 2] : tensor<64x128xf32> -> tensor<64x32x128xf32>
  %2 = arith.mulf %0, %1 fastmath<reassoc> : tensor<64x32x128xf32>
  %3 = fusion.reduce add %2 dims = [2] : tensor<64x32x128xf32> -> tensor<64x32xf32>
  %4 = fusion.reduce add %2 dims = [1] fastmath<reassoc> : tensor<64x32x128xf32> -> tensor<64x128xf32>
  return %3, %4 : tensor<64x32xf32>, tensor<64x128xf32>
}

// One sum rides along with the product, the other computes it again: as written the
// product of 1 GiB moves once, x and b of 512 KiB twice, and the two sums:
// 1073741824 + 6 524288 = 1076887552 bytes. With the first sum rewritten x, b and
// the sums move once by the side of the product, 64 sums of x twice, and that
// kernel reads b again. Each mark is decided on its own, or both together.
// REMARK: remark: [Passed] applied | {{.*}}bytesRewritten=1076363776, bytesWritten=1076887552,
// TOGETHER-COUNT-2: remark: [Passed] applied | {{.*}}bytesWritten=1076887552, launchesRewritten=3, launchesWritten=2,
// CHECK-LABEL: func.func @two_marks(
// CHECK: %[[P:.*]] = arith.mulf
// CHECK: fusion.reduce add %arg0 dims = [1]
func.func @two_marks(%x: tensor<64x2048xf32>, %b: tensor<64x2048xf32>) -> (tensor<64x2048x2048xf32>, tensor<64x2048xf32>, tensor<64x2048xf32>) {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<64x2048xf32> -> tensor<64x2048x2048xf32>
  %1 = fusion.broadcast %b dims = [0, 2] : tensor<64x2048xf32> -> tensor<64x2048x2048xf32>
  %2 = arith.mulf %0, %1 fastmath<reassoc> : tensor<64x2048x2048xf32>
  %3 = fusion.reduce add %2 dims = [1] fastmath<reassoc> : tensor<64x2048x2048xf32> -> tensor<64x2048xf32>
  %4 = fusion.reduce add %2 dims = [2] fastmath<reassoc> : tensor<64x2048x2048xf32> -> tensor<64x2048xf32>
  return %2, %3, %4 : tensor<64x2048x2048xf32>, tensor<64x2048xf32>, tensor<64x2048xf32>
}

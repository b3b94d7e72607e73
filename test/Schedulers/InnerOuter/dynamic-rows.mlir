// Rows whose number only the launch knows: none, one, fewer and more than the tiles
// of a turn of the grid. Column sums of no rows are neutral.
// RUN: fusion-runner %s --device=sim --verify --print-plan --shape=0=0x136 --shape=1=0 | FileCheck %s
// RUN: fusion-runner %s --device=sim --verify --print-plan --shape=0=1x136 --shape=1=1 | FileCheck %s
// RUN: fusion-runner %s --device=sim --verify --print-plan --shape=0=131x136 --shape=1=131 | FileCheck %s
// RUN: not fusion-runner %s --device=sim --shape=0=2x136 --shape=1=1 2>&1 | FileCheck %s --check-prefix=UNEQUAL
// RUN: fusion-opt %s --fusion-to-gpu | FileCheck %s --check-prefix=KERNEL

// CHECK: plan: 1 segments, 1 launches, 0 operations outside segments
// CHECK: segment 0: inner-outer-persistent at
// CHECK-COUNT-3: passed
// UNEQUAL: error: assertion failed: expected dimension 0 of argument 1 to be as large as dimension 0 of argument 0

// KERNEL: gpu.func @f_0_rows(
// KERNEL-SAME: index) {{.*}}kernel
// KERNEL: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%{{.*}}, 136], strides: [136, 1] : memref<f32> to memref<?x136xf32>
func.func @f(%x: tensor<?x136xf32>, %scale: tensor<?xf32>, %w: tensor<136xf32>) -> (tensor<?x136xf32>, tensor<?xf32>, tensor<136xf32>) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x136xf32>
  %wb = fusion.broadcast %w [%d] dims = [1] : tensor<136xf32> -> tensor<?x136xf32>
  %y = arith.mulf %x, %wb : tensor<?x136xf32>
  %s = fusion.reduce add %y dims = [1] : tensor<?x136xf32> -> tensor<?xf32>
  %t = arith.mulf %s, %scale : tensor<?xf32>
  %tb = fusion.broadcast %t dims = [0] : tensor<?xf32> -> tensor<?x136xf32>
  %z = arith.mulf %y, %tb : tensor<?x136xf32>
  %k = fusion.reduce add %z dims = [0] : tensor<?x136xf32> -> tensor<136xf32>
  return %z, %t, %k : tensor<?x136xf32>, tensor<?xf32>, tensor<136xf32>
}

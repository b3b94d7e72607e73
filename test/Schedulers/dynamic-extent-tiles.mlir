// One outermost extent that only the launch knows, in every kind of kernel over tiles:
// the program is compiled once, and runs with any extent, 0 and 1 included.
// RUN: fusion-opt %s --fusion-to-gpu --mlir-print-local-scope | FileCheck %s
// RUN: fusion-runner %s --print-plan --function=squares --device=sim --verify --shape=0=0x40x24 --shape=1=0x24x40 | FileCheck %s --check-prefix=COUNTED
// RUN: fusion-runner %s --print-plan --function=squares --device=sim --verify --shape=0=1x40x24 --shape=1=1x24x40 | FileCheck %s --check-prefix=COUNTED
// RUN: fusion-runner %s --print-plan --function=squares --device=sim --verify --shape=0=133x40x24 --shape=1=133x24x40 | FileCheck %s --check-prefix=COUNTED
// RUN: fusion-runner %s --print-plan --function=shared_rows --device=sim --verify --shape=0=0x72 --shape=1=0 | FileCheck %s --check-prefix=COUNTED
// RUN: fusion-runner %s --print-plan --function=shared_rows --device=sim --verify --shape=0=1x72 --shape=1=1 | FileCheck %s --check-prefix=COUNTED
// RUN: fusion-runner %s --print-plan --function=shared_rows --device=sim --verify --shape=0=133x72 --shape=1=133 | FileCheck %s --check-prefix=COUNTED
// RUN: fusion-runner %s --print-plan --function=column_sums --device=sim --verify --shape=0=0x72 | FileCheck %s --check-prefix=FIXED
// RUN: fusion-runner %s --print-plan --function=column_sums --device=sim --verify --shape=0=1x72 | FileCheck %s --check-prefix=FIXED
// RUN: fusion-runner %s --print-plan --function=column_sums --device=sim --verify --shape=0=133x72 | FileCheck %s --check-prefix=FIXED
// RUN: fusion-runner %s --print-plan --function=batch_column_sums --device=sim --verify --shape=0=0x37x24 | FileCheck %s --check-prefix=COUNTED
// RUN: fusion-runner %s --print-plan --function=batch_column_sums --device=sim --verify --shape=0=1x37x24 | FileCheck %s --check-prefix=COUNTED
// RUN: fusion-runner %s --print-plan --function=batch_column_sums --device=sim --verify --shape=0=133x37x24 | FileCheck %s --check-prefix=COUNTED
// RUN: fusion-runner %s --print-plan --function=sum --device=sim --verify --shape=0=0x72 | FileCheck %s --check-prefix=FIXED
// RUN: fusion-runner %s --print-plan --function=sum --device=sim --verify --shape=0=1x72 | FileCheck %s --check-prefix=FIXED
// RUN: fusion-runner %s --print-plan --function=sum --device=sim --verify --shape=0=133x72 | FileCheck %s --check-prefix=FIXED
// RUN: fusion-runner %s --print-plan --function=max --device=sim --verify --shape=0=0 | FileCheck %s --check-prefix=FIXED
// RUN: fusion-runner %s --print-plan --function=max --device=sim --verify --shape=0=1 | FileCheck %s --check-prefix=FIXED
// RUN: fusion-runner %s --print-plan --function=max --device=sim --verify --shape=0=133 | FileCheck %s --check-prefix=FIXED
// RUN: fusion-runner %s --print-plan --function=normalize --device=sim --verify --shape=0=0x37x24 | FileCheck %s --check-prefix=COUNTED
// RUN: fusion-runner %s --print-plan --function=normalize --device=sim --verify --shape=0=1x37x24 | FileCheck %s --check-prefix=COUNTED
// RUN: fusion-runner %s --print-plan --function=normalize --device=sim --verify --shape=0=133x37x24 | FileCheck %s --check-prefix=COUNTED

// COUNTED: grid ?x1x1
// COUNTED: passed
// COUNTED-NOT: FAILED
// FIXED: grid {{[0-9]+}}x1x1
// FIXED: passed
// FIXED-NOT: FAILED

// The squares of one matrix at a time: blocks for each.
// CHECK: func.func @squares(%{{.*}}: memref<?x40x24xf32>
// CHECK: gpu.launch_func @squares_0::@squares_0_tiles blocks in (%{{dim_[0-9]+|[0-9]+}}, %c1, %c1)
func.func @squares(%x: tensor<?x40x24xf32>, %y: tensor<?x24x40xf32>) -> tensor<?x24x40xf32> {
  %r = fusion.segment "transpose" (%a = %x : tensor<?x40x24xf32>, %b = %y : tensor<?x24x40xf32>) -> (tensor<?x24x40xf32>) {
  %t = fusion.transpose %a permutation = [0, 2, 1] : tensor<?x40x24xf32> -> tensor<?x24x40xf32>
  %z = arith.addf %t, %b : tensor<?x24x40xf32>
  fusion.yield %z : tensor<?x24x40xf32>
  }
  return %r : tensor<?x24x40xf32>
}

// Blocks share no row: how much room their partial results take is not known.
// CHECK: func.func @shared_rows(%{{.*}}: memref<?x72xf32>
// CHECK-NOT: memref.alloc() : memref<?x{{.*}}xf32>
// CHECK: gpu.launch_func @shared_rows_0::@shared_rows_0_splits blocks in (%{{dim_[0-9]+|[0-9]+}}, %c1, %c1)
func.func @shared_rows(%x: tensor<?x72xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %r = fusion.segment "full-reduction" (%p = %x : tensor<?x72xf32>, %q = %b : tensor<?xf32>) -> (tensor<?xf32>) {
  %s = fusion.reduce add %p dims = [1] : tensor<?x72xf32> -> tensor<?xf32>
  %z = arith.addf %s, %q : tensor<?xf32>
  fusion.yield %z : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// The rows are counted in the kernel: as many blocks share them for any extent.
// CHECK: gpu.func @column_sums_0_columns(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index) kernel
// CHECK: %[[TILES:.*]] = arith.divui %[[N]], %{{.*}} : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[TILES]] step
// CHECK: func.func @column_sums(%{{.*}}: memref<?x72xf32>
// CHECK: memref.alloc() {{.*}}: memref<128x72xf32>
// CHECK: gpu.launch_func @column_sums_0::@column_sums_0_columns blocks in (%c128,
func.func @column_sums(%x: tensor<?x72xf32>, %b: tensor<72xf32>) -> (tensor<72xf32>, tensor<?x72xf32>) {
  %q = arith.mulf %x, %x : tensor<?x72xf32>
  %s = fusion.reduce add %q dims = [0] : tensor<?x72xf32> -> tensor<72xf32>
  %z = arith.addf %s, %b : tensor<72xf32>
  return %z, %q : tensor<72xf32>, tensor<?x72xf32>
}

// CHECK: func.func @batch_column_sums(%{{.*}}: memref<?x37x24xf32>
// CHECK: gpu.launch_func @batch_column_sums_0::@batch_column_sums_0_columns blocks in (%{{dim_[0-9]+|[0-9]+}}, %c1, %c1)
func.func @batch_column_sums(%x: tensor<?x37x24xf32>) -> tensor<?x24xf32> {
  %s = fusion.reduce add %x dims = [1] : tensor<?x37x24xf32> -> tensor<?x24xf32>
  return %s : tensor<?x24xf32>
}

// CHECK: func.func @sum(%{{.*}}: memref<?x72xf32>
// CHECK: gpu.launch_func @sum_0::@sum_0_splits blocks in (%c{{[0-9]+}},
func.func @sum(%x: tensor<?x72xf32>) -> tensor<f32> {
  %q = arith.mulf %x, %x : tensor<?x72xf32>
  %s = fusion.reduce add %q dims = [0, 1] : tensor<?x72xf32> -> tensor<f32>
  return %s : tensor<f32>
}

// CHECK: func.func @max(%{{.*}}: memref<?xf16>
func.func @max(%x: tensor<?xf16>) -> tensor<f16> {
  %s = fusion.reduce maximumf %x dims = [0] : tensor<?xf16> -> tensor<f16>
  return %s : tensor<f16>
}

// CHECK: func.func @normalize(%{{.*}}: memref<?x37x24xf32>
// CHECK: gpu.launch_func @normalize_0::@normalize_0_strips blocks in (%{{dim_[0-9]+|[0-9]+}}, %c1, %c1)
func.func @normalize(%x: tensor<?x37x24xf32>) -> tensor<?x37x24xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x37x24xf32>
  %m = fusion.reduce maximumf %x dims = [1] : tensor<?x37x24xf32> -> tensor<?x24xf32>
  %mb = fusion.broadcast %m dims = [0, 2] : tensor<?x24xf32> -> tensor<?x37x24xf32>
  %d = arith.subf %x, %mb : tensor<?x37x24xf32>
  %e = math.exp %d : tensor<?x37x24xf32>
  %s = fusion.reduce add %e dims = [1] : tensor<?x37x24xf32> -> tensor<?x24xf32>
  %sb = fusion.broadcast %s dims = [0, 2] : tensor<?x24xf32> -> tensor<?x37x24xf32>
  %y = arith.divf %e, %sb : tensor<?x37x24xf32>
  return %y : tensor<?x37x24xf32>
}

// An outermost extent that only the launch knows: the program is compiled once, and
// runs with any extent.
// RUN: fusion-opt %s --fusion-to-gpu --mlir-print-local-scope | FileCheck %s
// RUN: fusion-runner %s --print-plan --function=points --device=sim --verify --shape=0=0x12 --shape=1=0x12 | FileCheck %s --check-prefix=PASSED
// RUN: fusion-runner %s --print-plan --function=points --device=sim --verify --shape=0=1x12 --shape=1=1x12 | FileCheck %s --check-prefix=PASSED
// RUN: fusion-runner %s --print-plan --function=points --device=sim --verify --shape=0=331x12 --shape=1=331x12 | FileCheck %s --check-prefix=PASSED
// RUN: fusion-runner %s --print-plan --function=softmax --device=sim --verify --shape=0=0x3x80 | FileCheck %s --check-prefix=PASSED
// RUN: fusion-runner %s --print-plan --function=softmax --device=sim --verify --shape=0=1x3x80 | FileCheck %s --check-prefix=PASSED
// RUN: fusion-runner %s --print-plan --function=softmax --device=sim --verify --shape=0=7x3x80 | FileCheck %s --check-prefix=PASSED
// RUN: not fusion-runner %s --function=points --device=sim --verify --shape=0=3x12 --shape=1=4x12 2>&1 | FileCheck %s --check-prefix=UNEQUAL
// An extent of 1 is no broadcast.
// RUN: not fusion-runner %s --function=points --device=sim --shape=0=1x12 --shape=1=4x12 2>&1 | FileCheck %s --check-prefix=UNEQUAL
// RUN: not fusion-runner %s --function=points --device=sim --shape=0=4x12 --shape=1=1x12 2>&1 | FileCheck %s --check-prefix=UNEQUAL
// RUN: not fusion-runner %s --function=given --device=sim --shape=0=4x12 --input=2=const:1 2>&1 | FileCheck %s --check-prefix=GIVEN

// PASSED: grid ?x1x1
// PASSED: passed
// PASSED-NOT: FAILED

// A kernel takes pointers and the extent; the host counts the blocks.
// CHECK: gpu.func @points_0_points(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<f32> {{[^}]*}}},
// CHECK-SAME: %[[N:[a-z0-9]+]]: index) kernel
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%{{.*}}], strides: [1] : memref<f32> to memref<?xf32>
// CHECK: func.func @points(%[[A:.*]]: memref<?x12xf32>, %[[B:.*]]: memref<?x12xf32>, %{{.*}}: memref<12xf32>) -> memref<?x12xf32>
// CHECK-DAG: %[[NB:.*]] = memref.dim %[[B]], %c0 : memref<?x12xf32>
// CHECK-DAG: %[[NA:.*]] = memref.dim %[[A]], %c0 : memref<?x12xf32>
// CHECK: %[[EQ:.*]] = arith.cmpi eq, %[[NB]], %[[NA]] : index
// CHECK: cf.assert %[[EQ]], "expected dimension 0 of argument 1 to be as large as dimension 0 of argument 0"
// CHECK: memref.alloc(%[[NA]]) : memref<?x12xf32>
// CHECK: %[[RUNS:.*]] = arith.muli %[[NA]], %c3 : index
// CHECK: %[[BLOCKS:.*]] = arith.ceildivui %[[RUNS]], %{{.*}} : index
// CHECK: %[[ANY:.*]] = arith.cmpi ne, %[[BLOCKS]], %c0 : index
// CHECK: scf.if %[[ANY]] {
// CHECK-NEXT: gpu.launch_func @points_0::@points_0_points blocks in (%[[BLOCKS]], %c1, %c1)
// GIVEN: error: assertion failed: expected dimension 0 of 'fusion.broadcast' to be as large as the dimensions that it meets
// UNEQUAL: error: assertion failed: expected dimension 0 of argument 1 to be as large as dimension 0 of argument 0
func.func @points(%x: tensor<?x12xf32>, %y: tensor<?x12xf32>, %w: tensor<12xf32>) -> tensor<?x12xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x12xf32>
  %wb = fusion.broadcast %w [%d] dims = [1] : tensor<12xf32> -> tensor<?x12xf32>
  %s = arith.addf %x, %y : tensor<?x12xf32>
  %z = arith.mulf %s, %wb : tensor<?x12xf32>
  return %z : tensor<?x12xf32>
}

// CHECK: gpu.func @softmax_0_rows(
// CHECK: func.func @softmax(
// CHECK: gpu.launch_func @softmax_0::@softmax_0_rows blocks in (%{{[0-9]+}}, %c1, %c1)
func.func @softmax(%x: tensor<?x3x80xf32>) -> tensor<?x3x80xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x3x80xf32>
  %m = fusion.reduce maximumf %x dims = [2] : tensor<?x3x80xf32> -> tensor<?x3xf32>
  %mb = fusion.broadcast %m dims = [0, 1] : tensor<?x3xf32> -> tensor<?x3x80xf32>
  %s = arith.subf %x, %mb : tensor<?x3x80xf32>
  %e = math.exp %s : tensor<?x3x80xf32>
  %t = fusion.reduce add %e dims = [2] : tensor<?x3x80xf32> -> tensor<?x3xf32>
  %tb = fusion.broadcast %t dims = [0, 1] : tensor<?x3xf32> -> tensor<?x3x80xf32>
  %q = arith.divf %e, %tb : tensor<?x3x80xf32>
  return %q : tensor<?x3x80xf32>
}

// The extent is given, not read from an argument: it is checked.
// CHECK: func.func @given(
// CHECK: cf.assert %{{.*}}, "expected dimension 0 of 'fusion.broadcast' to be as large as the dimensions that it meets"
func.func @given(%x: tensor<?x12xf32>, %w: tensor<12xf32>, %n: index) -> tensor<?x12xf32> {
  %wb = fusion.broadcast %w [%n] dims = [1] : tensor<12xf32> -> tensor<?x12xf32>
  %z = arith.mulf %x, %wb : tensor<?x12xf32>
  return %z : tensor<?x12xf32>
}

// What is returned as it came is copied, whatever its extent.
// CHECK: func.func @passed_through(
// CHECK: memref.alloc(%{{.*}}) {{.*}}: memref<?x12xf32>
// CHECK: memref.copy
func.func @passed_through(%x: tensor<?x12xf32>) -> (tensor<?x12xf32>, tensor<?x12xf32>) {
  %z = arith.negf %x : tensor<?x12xf32>
  return %x, %z : tensor<?x12xf32>, tensor<?x12xf32>
}

// After the rows all threads of a block share its columns anew: each adds the
// accumulators of the four groups for its pieces of 16 bytes, in the order of the
// groups, and stores the block's partial result. The two pieces of a vector change
// places every four threads, so that the stores reach all banks of shared memory.
// RUN: fusion-opt %s --fusion-lower-segments | FileCheck %s
// RUN: fusion-runner %s --function=sums --device=sim --verify --repeat-check=2 | FileCheck %s --check-prefix=VALUES
// RUN: fusion-runner %s --function=ragged --device=sim --verify --repeat-check=2 | FileCheck %s --check-prefix=VALUES

// VALUES: result 0: passed
// VALUES: result 1: passed
// VALUES: 2 runs are bitwise equal

// CHECK-LABEL: gpu.func @sums_0_rows(
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: arith.xori
// CHECK: vector.store {{.*}} : memref<4x512xf32, #gpu.address_space<workgroup>>, vector<4xf32>
// CHECK: gpu.barrier
// CHECK-NOT: scf.if
// CHECK: %[[PLACE:.*]] = arith.xori %[[THREAD]],
// CHECK: %[[FIRST:.*]] = arith.muli %[[PLACE]], %{{.*}} : index
// CHECK-COUNT-4: vector.load %{{.*}}[%{{.*}}, %[[FIRST]]] {{.*}} : memref<4x512xf32, #gpu.address_space<workgroup>>, vector<4xf32>
// CHECK: vector.store {{.*}} : memref<{{.*}}x512xf32>, vector<4xf32>
// CHECK-NOT: vector.load
// CHECK: gpu.return
func.func @sums(%x: tensor<200x512xbf16>) -> (tensor<200x512xbf16>, tensor<512xf32>) {
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 3, threads = 128, groups = 4, rows = 1, width = 8, vectors = 2,
      loader = bulk_copy, stages = 2, keep = registers, params = registers,
      finish_blocks = 16, finish_threads = 32, shared_bytes = 16384>
      (%a = %x : tensor<200x512xbf16>) -> (tensor<200x512xbf16>, tensor<512xf32>) {
    %f = arith.extf %a : tensor<200x512xbf16> to tensor<200x512xf32>
    %r = fusion.reduce add %f dims = [1] : tensor<200x512xf32> -> tensor<200xf32>
    %b = fusion.broadcast %r dims = [0] : tensor<200xf32> -> tensor<200x512xf32>
    %p = arith.mulf %f, %b : tensor<200x512xf32>
    %y = arith.truncf %p : tensor<200x512xf32> to tensor<200x512xbf16>
    %c = fusion.reduce add %p dims = [0] : tensor<200x512xf32> -> tensor<512xf32>
    fusion.yield %y, %c : tensor<200x512xbf16>, tensor<512xf32>
  }
  return %s#0, %s#1 : tensor<200x512xbf16>, tensor<512xf32>
}

// Fewer columns than the threads have: pieces beyond the last column are not
// stored. Two rounds, of 256 pieces by 128 threads each.
// CHECK-LABEL: gpu.func @ragged_0_rows(
// CHECK: vector.store {{.*}} : memref<2x1024xf32, #gpu.address_space<workgroup>>, vector<4xf32>
// CHECK: gpu.barrier
// CHECK-COUNT-2: scf.if
// CHECK-NOT: scf.if
// CHECK: gpu.return
func.func @ragged(%x: tensor<77x1000xbf16>) -> (tensor<77x1000xbf16>, tensor<1000xf32>) {
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 3, threads = 128, groups = 2, rows = 1, width = 8, vectors = 2,
      loader = bulk_copy, stages = 2, keep = registers, params = registers,
      finish_blocks = 32, finish_threads = 32, shared_bytes = 16384>
      (%a = %x : tensor<77x1000xbf16>) -> (tensor<77x1000xbf16>, tensor<1000xf32>) {
    %f = arith.extf %a : tensor<77x1000xbf16> to tensor<77x1000xf32>
    %r = fusion.reduce add %f dims = [1] : tensor<77x1000xf32> -> tensor<77xf32>
    %b = fusion.broadcast %r dims = [0] : tensor<77xf32> -> tensor<77x1000xf32>
    %p = arith.mulf %f, %b : tensor<77x1000xf32>
    %y = arith.truncf %p : tensor<77x1000xf32> to tensor<77x1000xbf16>
    %c = fusion.reduce add %p dims = [0] : tensor<77x1000xf32> -> tensor<1000xf32>
    fusion.yield %y, %c : tensor<77x1000xbf16>, tensor<1000xf32>
  }
  return %s#0, %s#1 : tensor<77x1000xbf16>, tensor<1000xf32>
}

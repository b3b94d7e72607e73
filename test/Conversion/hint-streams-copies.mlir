// Bulk copies get the policies of loads (hint-streams.mlir), made beside them.
// RUN: fusion-opt %s --pass-pipeline='builtin.module(gpu.module(fusion-hint-streams{chip=sm_90}))' | FileCheck %s

gpu.module @m {
  // A ring is filled before the loop that goes on filling it. Little is written.
  // CHECK-LABEL: gpu.func @ring
  // CHECK-NOT: llvm.inline_asm
  // CHECK: scf.if
  // CHECK-NEXT: %[[FIRST:.*]] = llvm.inline_asm {{.*}}"createpolicy.fractional.L2::evict_first.b64 $0, 1.0;", "=l" : () -> i64
  // CHECK: nvvm.cp.async.bulk.shared.cluster.global {{.*}} l2_cache_hint = %[[FIRST]]
  // CHECK: nvvm.cp.async.bulk.shared.cluster.global {{.*}} l2_cache_hint = %[[FIRST]]
  // CHECK: scf.for
  // CHECK-NEXT: %[[NEXT:.*]] = llvm.inline_asm {{.*}}"createpolicy.fractional.L2::evict_first.b64 $0, 1.0;"
  // CHECK: nvvm.cp.async.bulk.shared.cluster.global {{.*}} l2_cache_hint = %[[NEXT]]
  // CHECK-NOT: llvm.inline_asm
  gpu.func @ring(%x: memref<16384x4096xf32> {llvm.noalias, llvm.readonly}, %y: memref<16384xf32>,
      %to: !llvm.ptr<7>, %barrier: !llvm.ptr<3>, %bytes: i32, %first: i1, %i: index, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.if %first {
      %base = memref.extract_aligned_pointer_as_index %x : memref<16384x4096xf32> -> index
      %0 = arith.addi %base, %i : index
      %1 = arith.index_cast %0 : index to i64
      %2 = llvm.inttoptr %1 : i64 to !llvm.ptr
      %3 = llvm.addrspacecast %2 : !llvm.ptr to !llvm.ptr<1>
      nvvm.cp.async.bulk.shared.cluster.global %to, %3, %barrier, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
      %4 = arith.addi %0, %i : index
      %5 = arith.index_cast %4 : index to i64
      %6 = llvm.inttoptr %5 : i64 to !llvm.ptr<1>
      nvvm.cp.async.bulk.shared.cluster.global %to, %6, %barrier, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    scf.for %j = %c0 to %n step %c1 {
      %base = memref.extract_aligned_pointer_as_index %x : memref<16384x4096xf32> -> index
      %0 = arith.addi %base, %j : index
      %1 = arith.index_cast %0 : index to i64
      %2 = llvm.inttoptr %1 : i64 to !llvm.ptr<1>
      nvvm.cp.async.bulk.shared.cluster.global %to, %2, %barrier, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    gpu.return
  }

  // As much is written as read. What is small stays in L2 by being used again.
  // CHECK-LABEL: gpu.func @results
  // CHECK: %[[POLICY:.*]] = llvm.inline_asm {{.*}}"createpolicy.fractional.L2::evict_last.b64 $0, 1.0;"
  // CHECK: nvvm.cp.async.bulk.shared.cluster.global {{.*}} l2_cache_hint = %[[POLICY]]
  // CHECK: nvvm.cp.async.bulk.shared.cluster.global
  // CHECK-NOT: l2_cache_hint
  gpu.func @results(%x: memref<16384x4096xf32> {llvm.noalias, llvm.readonly}, %small: memref<4096xf32> {llvm.noalias, llvm.readonly}, %y: memref<16384x4096xf32>,
      %to: !llvm.ptr<7>, %barrier: !llvm.ptr<3>, %bytes: i32) kernel {
    %0 = memref.extract_aligned_pointer_as_index %x : memref<16384x4096xf32> -> index
    %1 = arith.index_cast %0 : index to i64
    %2 = llvm.inttoptr %1 : i64 to !llvm.ptr<1>
    nvvm.cp.async.bulk.shared.cluster.global %to, %2, %barrier, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    %3 = memref.extract_aligned_pointer_as_index %small : memref<4096xf32> -> index
    %4 = arith.index_cast %3 : index to i64
    %5 = llvm.inttoptr %4 : i64 to !llvm.ptr<1>
    nvvm.cp.async.bulk.shared.cluster.global %to, %5, %barrier, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    gpu.return
  }

  // All of it fits in L2.
  // CHECK-LABEL: gpu.func @fits
  // CHECK-NOT: llvm.inline_asm
  // CHECK-NOT: l2_cache_hint
  gpu.func @fits(%x: memref<4096x1024xf32> {llvm.noalias, llvm.readonly}, %y: memref<4096x1024xf32>,
      %to: !llvm.ptr<7>, %barrier: !llvm.ptr<3>, %bytes: i32) kernel {
    %0 = memref.extract_aligned_pointer_as_index %x : memref<4096x1024xf32> -> index
    %1 = arith.index_cast %0 : index to i64
    %2 = llvm.inttoptr %1 : i64 to !llvm.ptr<1>
    nvvm.cp.async.bulk.shared.cluster.global %to, %2, %barrier, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    gpu.return
  }

  // Nobody knows how much is written.
  // CHECK-LABEL: gpu.func @dynamic
  // CHECK-NOT: llvm.inline_asm
  // CHECK-NOT: l2_cache_hint
  gpu.func @dynamic(%x: memref<16384x4096xf32> {llvm.noalias, llvm.readonly}, %y: memref<?x4096xf32>,
      %to: !llvm.ptr<7>, %barrier: !llvm.ptr<3>, %bytes: i32) kernel {
    %0 = memref.extract_aligned_pointer_as_index %x : memref<16384x4096xf32> -> index
    %1 = arith.index_cast %0 : index to i64
    %2 = llvm.inttoptr %1 : i64 to !llvm.ptr<1>
    nvvm.cp.async.bulk.shared.cluster.global %to, %2, %barrier, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    gpu.return
  }

  // The second pass is to find what the first one read.
  // CHECK-LABEL: gpu.func @two_loops
  // CHECK-NOT: llvm.inline_asm
  // CHECK-NOT: l2_cache_hint
  gpu.func @two_loops(%x: memref<16384x4096xf32> {llvm.noalias, llvm.readonly}, %y: memref<16384xf32>,
      %to: !llvm.ptr<7>, %barrier: !llvm.ptr<3>, %bytes: i32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %base = memref.extract_aligned_pointer_as_index %x : memref<16384x4096xf32> -> index
    scf.for %i = %c0 to %n step %c1 {
      %0 = arith.addi %base, %i : index
      %1 = arith.index_cast %0 : index to i64
      %2 = llvm.inttoptr %1 : i64 to !llvm.ptr<1>
      nvvm.cp.async.bulk.shared.cluster.global %to, %2, %barrier, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    scf.for %i = %c0 to %n step %c1 {
      %0 = arith.addi %base, %i : index
      %1 = arith.index_cast %0 : index to i64
      %2 = llvm.inttoptr %1 : i64 to !llvm.ptr<1>
      nvvm.cp.async.bulk.shared.cluster.global %to, %2, %barrier, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    gpu.return
  }

  // Loads read it as well: nobody knows which of them comes first.
  // CHECK-LABEL: gpu.func @copies_and_loads
  // CHECK-NOT: llvm.inline_asm
  // CHECK-NOT: l2_cache_hint
  gpu.func @copies_and_loads(%x: memref<16384x4096xf32> {llvm.noalias, llvm.readonly}, %y: memref<16384xf32>,
      %to: !llvm.ptr<7>, %barrier: !llvm.ptr<3>, %bytes: i32, %i: index) kernel {
    %0 = memref.extract_aligned_pointer_as_index %x : memref<16384x4096xf32> -> index
    %1 = arith.index_cast %0 : index to i64
    %2 = llvm.inttoptr %1 : i64 to !llvm.ptr<1>
    nvvm.cp.async.bulk.shared.cluster.global %to, %2, %barrier, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    %3 = vector.load %x[%i, %i] {alignment = 16 : i64} : memref<16384x4096xf32>, vector<4xf32>
    vector.store %3, %y[%i] : memref<16384xf32>, vector<4xf32>
    gpu.return
  }

  // Nobody knows which of the two is copied, or what else reads it through the
  // pointer; another copy has a policy of its own.
  // CHECK-LABEL: gpu.func @selected
  // CHECK-NOT: llvm.inline_asm
  // CHECK-NOT: l2_cache_hint
  gpu.func @selected(%x: memref<16384x4096xf32> {llvm.noalias, llvm.readonly}, %z: memref<16384x4096xf32> {llvm.noalias, llvm.readonly}, %y: memref<16384xf32>,
      %to: !llvm.ptr<7>, %barrier: !llvm.ptr<3>, %bytes: i32, %which: i1) kernel {
    %0 = memref.extract_aligned_pointer_as_index %x : memref<16384x4096xf32> -> index
    %1 = memref.extract_aligned_pointer_as_index %z : memref<16384x4096xf32> -> index
    %2 = arith.select %which, %0, %1 : index
    %3 = arith.index_cast %2 : index to i64
    %4 = llvm.inttoptr %3 : i64 to !llvm.ptr<1>
    nvvm.cp.async.bulk.shared.cluster.global %to, %4, %barrier, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @loaded_through_a_pointer
  // CHECK-NOT: llvm.inline_asm
  // CHECK-NOT: l2_cache_hint
  gpu.func @loaded_through_a_pointer(%x: memref<16384x4096xf32> {llvm.noalias, llvm.readonly}, %y: memref<16384xf32>,
      %to: !llvm.ptr<7>, %barrier: !llvm.ptr<3>, %bytes: i32, %i: index) kernel {
    %0 = memref.extract_aligned_pointer_as_index %x : memref<16384x4096xf32> -> index
    %1 = arith.index_cast %0 : index to i64
    %2 = llvm.inttoptr %1 : i64 to !llvm.ptr<1>
    nvvm.cp.async.bulk.shared.cluster.global %to, %2, %barrier, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    %3 = llvm.load %2 : !llvm.ptr<1> -> f32
    memref.store %3, %y[%i] : memref<16384xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @own_policy
  // CHECK-SAME: %[[OWN:[^ ]*]]: i64
  // CHECK-NOT: llvm.inline_asm
  // CHECK: l2_cache_hint = %[[OWN]]
  // CHECK-NOT: l2_cache_hint
  gpu.func @own_policy(%x: memref<16384x4096xf32> {llvm.noalias, llvm.readonly}, %y: memref<16384xf32>,
      %to: !llvm.ptr<7>, %barrier: !llvm.ptr<3>, %bytes: i32, %own: i64) kernel {
    %0 = memref.extract_aligned_pointer_as_index %x : memref<16384x4096xf32> -> index
    %1 = arith.index_cast %0 : index to i64
    %2 = llvm.inttoptr %1 : i64 to !llvm.ptr<1>
    nvvm.cp.async.bulk.shared.cluster.global %to, %2, %barrier, %bytes l2_cache_hint = %own : !llvm.ptr<7>, !llvm.ptr<1>
    gpu.return
  }

  // Something else may write it; where a pointer comes from is not known.
  // CHECK-LABEL: gpu.func @aliased
  // CHECK-NOT: llvm.inline_asm
  // CHECK-NOT: l2_cache_hint
  gpu.func @aliased(%x: memref<16384x4096xf32> {llvm.readonly}, %z: memref<16384x4096xf32> {llvm.noalias, llvm.readonly}, %p: !llvm.ptr<1>,
      %to: !llvm.ptr<7>, %barrier: !llvm.ptr<3>, %bytes: i32) kernel {
    %0 = memref.extract_aligned_pointer_as_index %x : memref<16384x4096xf32> -> index
    %1 = arith.index_cast %0 : index to i64
    %2 = llvm.inttoptr %1 : i64 to !llvm.ptr<1>
    nvvm.cp.async.bulk.shared.cluster.global %to, %2, %barrier, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    nvvm.cp.async.bulk.shared.cluster.global %to, %p, %barrier, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    gpu.return
  }
}

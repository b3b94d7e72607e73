// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file | FileCheck %s
// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file --host-threads=1 | FileCheck %s

// The order of bulk copies and other accesses. Each faulty kernel stands beside its
// repaired twin.

!bars = memref<2xi64, #gpu.address_space<workgroup>>
!stage = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @copy {
  // CHECK: bulk_copy: passed
  // CHECK-NEXT: arg1: 0 1 2 3{{.*}} 62 63{{$}}
  gpu.func @bulk_copy(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"], sim.print = [1]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ticks = arith.constant 10000 : i32
    %bytes = arith.constant 256 : i32
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %si = memref.extract_aligned_pointer_as_index %stage : !stage -> index
    %s64 = arith.index_cast %si : index to i64
    %s3 = llvm.inttoptr %s64 : i64 to !llvm.ptr<3>
    %s = llvm.addrspacecast %s3 : !llvm.ptr<3> to !llvm.ptr<7>
    %gi = memref.extract_aligned_pointer_as_index %in : memref<64xf32> -> index
    %g64 = arith.index_cast %gi : index to i64
    %g0 = llvm.inttoptr %g64 : i64 to !llvm.ptr
    %g = llvm.addrspacecast %g0 : !llvm.ptr to !llvm.ptr<1>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %b, %bytes : !llvm.ptr<3>, i32
      nvvm.cp.async.bulk.shared.cluster.global %s, %g, %b, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    %v = memref.load %stage[%t] : !stage
    memref.store %v, %out[%t] : memref<64xf32>
    gpu.return
  }

  // CHECK: no_wait: failed
  gpu.func @no_wait(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %bytes = arith.constant 256 : i32
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %si = memref.extract_aligned_pointer_as_index %stage : !stage -> index
    %s64 = arith.index_cast %si : index to i64
    %s3 = llvm.inttoptr %s64 : i64 to !llvm.ptr<3>
    %s = llvm.addrspacecast %s3 : !llvm.ptr<3> to !llvm.ptr<7>
    %gi = memref.extract_aligned_pointer_as_index %in : memref<64xf32> -> index
    %g64 = arith.index_cast %gi : index to i64
    %g0 = llvm.inttoptr %g64 : i64 to !llvm.ptr
    %g = llvm.addrspacecast %g0 : !llvm.ptr to !llvm.ptr<1>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %b, %bytes : !llvm.ptr<3>, i32
      // expected-note @+1 {{the other: asynchronous copy that has not been waited for, thread (0, 0, 0)}}
      nvvm.cp.async.bulk.shared.cluster.global %s, %g, %b, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    gpu.barrier
    // expected-error @+1 {{data race: nothing orders two accesses to byte 0 of shared buffer 1 in shared memory: read of 4 bytes}}
    %v = memref.load %stage[%t] : !stage
    memref.store %v, %out[%t] : memref<64xf32>
    %zero = arith.constant 0 : i32
    %ticks = arith.constant 10000 : i32
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    gpu.return
  }
}

// -----

!bars = memref<2xi64, #gpu.address_space<workgroup>>
!stage = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @waiting_warp {
  // CHECK: one_warp_waits: failed
  gpu.func @one_warp_waits(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ticks = arith.constant 10000 : i32
    %bytes = arith.constant 256 : i32
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %si = memref.extract_aligned_pointer_as_index %stage : !stage -> index
    %s64 = arith.index_cast %si : index to i64
    %s3 = llvm.inttoptr %s64 : i64 to !llvm.ptr<3>
    %s = llvm.addrspacecast %s3 : !llvm.ptr<3> to !llvm.ptr<7>
    %gi = memref.extract_aligned_pointer_as_index %in : memref<64xf32> -> index
    %g64 = arith.index_cast %gi : index to i64
    %g0 = llvm.inttoptr %g64 : i64 to !llvm.ptr
    %g = llvm.addrspacecast %g0 : !llvm.ptr to !llvm.ptr<1>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %b, %bytes : !llvm.ptr<3>, i32
      // expected-note @+1 {{the other: asynchronous copy that has not been waited for, thread (0, 0, 0)}}
      nvvm.cp.async.bulk.shared.cluster.global %s, %g, %b, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    %c32 = arith.constant 32 : index
    %low = arith.cmpi ult, %t, %c32 : index
    scf.if %low {
      nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    }
    // expected-error-re @+1 {{data race: nothing orders two accesses to byte {{.*}} of shared buffer 1 in shared memory: read of 4 bytes}}
    %v = memref.load %stage[%t] : !stage
    memref.store %v, %out[%t] : memref<64xf32>
    gpu.return
  }

  // CHECK: one_warp_waits_for_all: passed
  // CHECK-NEXT: arg1: 0 1 2 3{{.*}} 62 63{{$}}
  gpu.func @one_warp_waits_for_all(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"], sim.print = [1]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ticks = arith.constant 10000 : i32
    %bytes = arith.constant 256 : i32
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %si = memref.extract_aligned_pointer_as_index %stage : !stage -> index
    %s64 = arith.index_cast %si : index to i64
    %s3 = llvm.inttoptr %s64 : i64 to !llvm.ptr<3>
    %s = llvm.addrspacecast %s3 : !llvm.ptr<3> to !llvm.ptr<7>
    %gi = memref.extract_aligned_pointer_as_index %in : memref<64xf32> -> index
    %g64 = arith.index_cast %gi : index to i64
    %g0 = llvm.inttoptr %g64 : i64 to !llvm.ptr
    %g = llvm.addrspacecast %g0 : !llvm.ptr to !llvm.ptr<1>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %b, %bytes : !llvm.ptr<3>, i32
      nvvm.cp.async.bulk.shared.cluster.global %s, %g, %b, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    %c32 = arith.constant 32 : index
    %low = arith.cmpi ult, %t, %c32 : index
    scf.if %low {
      nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    }
    gpu.barrier

    %v = memref.load %stage[%t] : !stage
    memref.store %v, %out[%t] : memref<64xf32>
    gpu.return
  }
}

// -----

!bars = memref<2xi64, #gpu.address_space<workgroup>>
!stage = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @stages {
  // CHECK: other_stage: failed
  gpu.func @other_stage(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ticks = arith.constant 10000 : i32
    %eight = arith.constant 8 : i64
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %si = memref.extract_aligned_pointer_as_index %stage : !stage -> index
    %s64 = arith.index_cast %si : index to i64
    %s3 = llvm.inttoptr %s64 : i64 to !llvm.ptr<3>
    %s = llvm.addrspacecast %s3 : !llvm.ptr<3> to !llvm.ptr<7>
    %gi = memref.extract_aligned_pointer_as_index %in : memref<64xf32> -> index
    %g64 = arith.index_cast %gi : index to i64
    %g0 = llvm.inttoptr %g64 : i64 to !llvm.ptr
    %g = llvm.addrspacecast %g0 : !llvm.ptr to !llvm.ptr<1>
    %first = arith.cmpi eq, %t, %c0 : index
    %b1_64 = arith.addi %b64, %eight : i64
    %b1 = llvm.inttoptr %b1_64 : i64 to !llvm.ptr<3>
    scf.if %first {
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %b1, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    %halfBytes = arith.constant 128 : i32
    %n128 = arith.constant 128 : i64
    %t64 = arith.addi %s64, %n128 : i64
    %t3 = llvm.inttoptr %t64 : i64 to !llvm.ptr<3>
    %u = llvm.addrspacecast %t3 : !llvm.ptr<3> to !llvm.ptr<7>
    %h64 = arith.addi %g64, %n128 : i64
    %h0 = llvm.inttoptr %h64 : i64 to !llvm.ptr
    %h = llvm.addrspacecast %h0 : !llvm.ptr to !llvm.ptr<1>
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %b, %halfBytes : !llvm.ptr<3>, i32
      nvvm.cp.async.bulk.shared.cluster.global %s, %g, %b, %halfBytes : !llvm.ptr<7>, !llvm.ptr<1>
      nvvm.mbarrier.arrive.expect_tx %b1, %halfBytes : !llvm.ptr<3>, i32
      // expected-note @+1 {{the other: asynchronous copy that has not been waited for, thread (0, 0, 0)}}
      nvvm.cp.async.bulk.shared.cluster.global %u, %h, %b1, %halfBytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    // expected-error-re @+1 {{data race: nothing orders two accesses to byte {{.*}} of shared buffer 1 in shared memory: read of 4 bytes}}
    %v = memref.load %stage[%t] : !stage
    memref.store %v, %out[%t] : memref<64xf32>
    nvvm.mbarrier.try_wait.parity %b1, %zero, %ticks : !llvm.ptr<3>, i32, i32
    gpu.return
  }

  // CHECK: both_stages: passed
  // CHECK-NEXT: arg1: 0 1 2 3{{.*}} 62 63{{$}}
  gpu.func @both_stages(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"], sim.print = [1]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ticks = arith.constant 10000 : i32
    %eight = arith.constant 8 : i64
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %si = memref.extract_aligned_pointer_as_index %stage : !stage -> index
    %s64 = arith.index_cast %si : index to i64
    %s3 = llvm.inttoptr %s64 : i64 to !llvm.ptr<3>
    %s = llvm.addrspacecast %s3 : !llvm.ptr<3> to !llvm.ptr<7>
    %gi = memref.extract_aligned_pointer_as_index %in : memref<64xf32> -> index
    %g64 = arith.index_cast %gi : index to i64
    %g0 = llvm.inttoptr %g64 : i64 to !llvm.ptr
    %g = llvm.addrspacecast %g0 : !llvm.ptr to !llvm.ptr<1>
    %first = arith.cmpi eq, %t, %c0 : index
    %b1_64 = arith.addi %b64, %eight : i64
    %b1 = llvm.inttoptr %b1_64 : i64 to !llvm.ptr<3>
    scf.if %first {
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %b1, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    %halfBytes = arith.constant 128 : i32
    %n128 = arith.constant 128 : i64
    %t64 = arith.addi %s64, %n128 : i64
    %t3 = llvm.inttoptr %t64 : i64 to !llvm.ptr<3>
    %u = llvm.addrspacecast %t3 : !llvm.ptr<3> to !llvm.ptr<7>
    %h64 = arith.addi %g64, %n128 : i64
    %h0 = llvm.inttoptr %h64 : i64 to !llvm.ptr
    %h = llvm.addrspacecast %h0 : !llvm.ptr to !llvm.ptr<1>
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %b, %halfBytes : !llvm.ptr<3>, i32
      nvvm.cp.async.bulk.shared.cluster.global %s, %g, %b, %halfBytes : !llvm.ptr<7>, !llvm.ptr<1>
      nvvm.mbarrier.arrive.expect_tx %b1, %halfBytes : !llvm.ptr<3>, i32
      nvvm.cp.async.bulk.shared.cluster.global %u, %h, %b1, %halfBytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.mbarrier.try_wait.parity %b1, %zero, %ticks : !llvm.ptr<3>, i32, i32
    %v = memref.load %stage[%t] : !stage
    memref.store %v, %out[%t] : memref<64xf32>
    gpu.return
  }
}

// -----

!bars = memref<2xi64, #gpu.address_space<workgroup>>
!stage = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @refill {
  // CHECK: refill_too_early: failed
  gpu.func @refill_too_early(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ticks = arith.constant 10000 : i32
    %bytes = arith.constant 256 : i32
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %si = memref.extract_aligned_pointer_as_index %stage : !stage -> index
    %s64 = arith.index_cast %si : index to i64
    %s3 = llvm.inttoptr %s64 : i64 to !llvm.ptr<3>
    %s = llvm.addrspacecast %s3 : !llvm.ptr<3> to !llvm.ptr<7>
    %gi = memref.extract_aligned_pointer_as_index %in : memref<64xf32> -> index
    %g64 = arith.index_cast %gi : index to i64
    %g0 = llvm.inttoptr %g64 : i64 to !llvm.ptr
    %g = llvm.addrspacecast %g0 : !llvm.ptr to !llvm.ptr<1>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %b, %bytes : !llvm.ptr<3>, i32
      nvvm.cp.async.bulk.shared.cluster.global %s, %g, %b, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    gpu.barrier
    // expected-note @+1 {{the other: read}}
    %v = memref.load %stage[%t] : !stage
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %b, %bytes : !llvm.ptr<3>, i32
      // expected-error-re @+1 {{data race: nothing orders two accesses to byte {{.*}} of shared buffer 1 in shared memory: write of 256 bytes, thread (0, 0, 0)}}
      nvvm.cp.async.bulk.shared.cluster.global %s, %g, %b, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    nvvm.mbarrier.try_wait.parity %b, %one, %ticks : !llvm.ptr<3>, i32, i32
    %w = memref.load %stage[%t] : !stage
    %x = arith.addf %v, %w : f32
    memref.store %x, %out[%t] : memref<64xf32>
    gpu.return
  }

  // CHECK: refill: passed
  // CHECK-NEXT: arg1: 0 2 4 6{{.*}} 124 126{{$}}
  gpu.func @refill(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"], sim.print = [1]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ticks = arith.constant 10000 : i32
    %bytes = arith.constant 256 : i32
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %si = memref.extract_aligned_pointer_as_index %stage : !stage -> index
    %s64 = arith.index_cast %si : index to i64
    %s3 = llvm.inttoptr %s64 : i64 to !llvm.ptr<3>
    %s = llvm.addrspacecast %s3 : !llvm.ptr<3> to !llvm.ptr<7>
    %gi = memref.extract_aligned_pointer_as_index %in : memref<64xf32> -> index
    %g64 = arith.index_cast %gi : index to i64
    %g0 = llvm.inttoptr %g64 : i64 to !llvm.ptr
    %g = llvm.addrspacecast %g0 : !llvm.ptr to !llvm.ptr<1>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %b, %bytes : !llvm.ptr<3>, i32
      nvvm.cp.async.bulk.shared.cluster.global %s, %g, %b, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    gpu.barrier
    %v = memref.load %stage[%t] : !stage
    gpu.barrier
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %b, %bytes : !llvm.ptr<3>, i32
      nvvm.cp.async.bulk.shared.cluster.global %s, %g, %b, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    nvvm.mbarrier.try_wait.parity %b, %one, %ticks : !llvm.ptr<3>, i32, i32
    %w = memref.load %stage[%t] : !stage
    %x = arith.addf %v, %w : f32
    memref.store %x, %out[%t] : memref<64xf32>
    gpu.return
  }
}

// -----

!bars = memref<2xi64, #gpu.address_space<workgroup>>
!stage = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @source_reuse {
  // CHECK: source_overwritten: failed
  gpu.func @source_overwritten(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ticks = arith.constant 10000 : i32
    %bytes = arith.constant 256 : i32
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %si = memref.extract_aligned_pointer_as_index %stage : !stage -> index
    %s64 = arith.index_cast %si : index to i64
    %s3 = llvm.inttoptr %s64 : i64 to !llvm.ptr<3>
    %s = llvm.addrspacecast %s3 : !llvm.ptr<3> to !llvm.ptr<7>
    %gi = memref.extract_aligned_pointer_as_index %in : memref<64xf32> -> index
    %g64 = arith.index_cast %gi : index to i64
    %g0 = llvm.inttoptr %g64 : i64 to !llvm.ptr
    %g = llvm.addrspacecast %g0 : !llvm.ptr to !llvm.ptr<1>
    %first = arith.cmpi eq, %t, %c0 : index
    %zf = arith.constant 0.0 : f32
    scf.if %first {
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %b, %bytes : !llvm.ptr<3>, i32
      // expected-note @+1 {{the other: asynchronous copy that has not been waited for, thread (0, 0, 0)}}
      nvvm.cp.async.bulk.shared.cluster.global %s, %g, %b, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    gpu.barrier
    // expected-error @+1 {{data race: nothing orders two accesses to byte 0 of allocation 0 in global memory: write of 4 bytes}}
    memref.store %zf, %in[%t] : memref<64xf32>
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    gpu.return
  }

  // CHECK: source_overwritten_later: passed
  gpu.func @source_overwritten_later(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ticks = arith.constant 10000 : i32
    %bytes = arith.constant 256 : i32
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %si = memref.extract_aligned_pointer_as_index %stage : !stage -> index
    %s64 = arith.index_cast %si : index to i64
    %s3 = llvm.inttoptr %s64 : i64 to !llvm.ptr<3>
    %s = llvm.addrspacecast %s3 : !llvm.ptr<3> to !llvm.ptr<7>
    %gi = memref.extract_aligned_pointer_as_index %in : memref<64xf32> -> index
    %g64 = arith.index_cast %gi : index to i64
    %g0 = llvm.inttoptr %g64 : i64 to !llvm.ptr
    %g = llvm.addrspacecast %g0 : !llvm.ptr to !llvm.ptr<1>
    %first = arith.cmpi eq, %t, %c0 : index
    %zf = arith.constant 0.0 : f32
    scf.if %first {
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %b, %bytes : !llvm.ptr<3>, i32
      nvvm.cp.async.bulk.shared.cluster.global %s, %g, %b, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    memref.store %zf, %in[%t] : memref<64xf32>
    gpu.return
  }
}

// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file | FileCheck %s
// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file --host-threads=1 | FileCheck %s

// What a bulk copy needs of its operands and its block. Each faulty kernel stands beside its
// repaired twin.

!bars = memref<2xi64, #gpu.address_space<workgroup>>
!stage = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @size {
  // CHECK: odd_size: failed
  gpu.func @odd_size(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
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
    %odd = arith.constant 24 : i32
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %b, %odd : !llvm.ptr<3>, i32
      // expected-error @+1 {{misaligned access: expected a positive multiple of 16 bytes, but got 24: bulk copy, thread (0, 0, 0)}}
      nvvm.cp.async.bulk.shared.cluster.global %s, %g, %b, %odd : !llvm.ptr<7>, !llvm.ptr<1>
    }
    gpu.return
  }
}

// -----

!bars = memref<2xi64, #gpu.address_space<workgroup>>
!stage = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @alignment {
  // CHECK: odd_source: failed
  gpu.func @odd_source(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
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
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    %part = arith.constant 16 : i32
    %h64 = arith.addi %g64, %eight : i64
    %h0 = llvm.inttoptr %h64 : i64 to !llvm.ptr
    %h = llvm.addrspacecast %h0 : !llvm.ptr to !llvm.ptr<1>
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %b, %part : !llvm.ptr<3>, i32
      // expected-error @+1 {{misaligned access: byte 8 of allocation 0 is at an address that is no multiple of 16: read of 16 bytes}}
      nvvm.cp.async.bulk.shared.cluster.global %s, %h, %b, %part : !llvm.ptr<7>, !llvm.ptr<1>
    }
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    gpu.return
  }
}

// -----

!bars = memref<2xi64, #gpu.address_space<workgroup>>
!stage = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @bounds {
  // CHECK: beyond_the_end: failed
  gpu.func @beyond_the_end(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ticks = arith.constant 10000 : i32
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
    %many = arith.constant 272 : i32
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %b, %many : !llvm.ptr<3>, i32
      // expected-error @+1 {{out of bounds: byte 0 of shared buffer 1, which has 256 bytes: write of 272 bytes}}
      nvvm.cp.async.bulk.shared.cluster.global %s, %g, %b, %many : !llvm.ptr<7>, !llvm.ptr<1>
    }
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    gpu.return
  }
}

// -----

!bars = memref<2xi64, #gpu.address_space<workgroup>>
!stage = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @source_bounds {
  // CHECK: beyond_the_end_of_the_source: failed
  gpu.func @beyond_the_end_of_the_source(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ticks = arith.constant 10000 : i32
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %si = memref.extract_aligned_pointer_as_index %stage : !stage -> index
    %s64 = arith.index_cast %si : index to i64
    %s3 = llvm.inttoptr %s64 : i64 to !llvm.ptr<3>
    %s = llvm.addrspacecast %s3 : !llvm.ptr<3> to !llvm.ptr<7>
    %gi = memref.extract_aligned_pointer_as_index %in : memref<64xf32> -> index
    %g64 = arith.index_cast %gi : index to i64
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    %many = arith.constant 256 : i32
    %n16 = arith.constant 16 : i64
    %h64 = arith.addi %g64, %n16 : i64
    %h0 = llvm.inttoptr %h64 : i64 to !llvm.ptr
    %h = llvm.addrspacecast %h0 : !llvm.ptr to !llvm.ptr<1>
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %b, %many : !llvm.ptr<3>, i32
      // expected-error @+1 {{out of bounds: byte 16 of allocation 0, which has 256 bytes: read of 256 bytes}}
      nvvm.cp.async.bulk.shared.cluster.global %s, %h, %b, %many : !llvm.ptr<7>, !llvm.ptr<1>
    }
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    gpu.return
  }
}

// -----

!bars = memref<2xi64, #gpu.address_space<workgroup>>
!stage = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @source {
  // CHECK: unwritten_source: failed
  gpu.func @unwritten_source(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["uninit", "uninit"]} {
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
      // expected-error @+1 {{uninitialised read: nothing has written byte 0 of allocation 0: read of 256 bytes}}
      nvvm.cp.async.bulk.shared.cluster.global %s, %g, %b, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    gpu.return
  }
}

// -----

!bars = memref<2xi64, #gpu.address_space<workgroup>>
!stage = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @fence {
  // CHECK: no_fence: failed
  gpu.func @no_fence(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
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
    }
    gpu.barrier
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %b, %bytes : !llvm.ptr<3>, i32
      // expected-error @+1 {{barrier misuse: no fence of the thread that initialised the mbarrier makes it visible to asynchronous copies}}
      nvvm.cp.async.bulk.shared.cluster.global %s, %g, %b, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    gpu.return
  }

  // CHECK: proxy_fence: passed
  // CHECK-NEXT: arg1: 0 1 2 3{{.*}} 62 63{{$}}
  gpu.func @proxy_fence(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
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
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
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
}

// -----

!bars = memref<2xi64, #gpu.address_space<workgroup>>
!stage = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @exit {
  // CHECK: exits_before_the_copy: failed
  gpu.func @exits_before_the_copy(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
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
    // expected-error @+1 {{exited block: nothing orders an access to byte 0 of shared buffer 1 before the block exits: exit}}
    gpu.return
  }

  // CHECK: one_thread_waits: passed
  gpu.func @one_thread_waits(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
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
    scf.if %first {
      nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    }
    gpu.return
  }
}

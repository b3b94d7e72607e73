// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file | FileCheck %s
// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file --host-threads=1 | FileCheck %s

// mbarriers: their lifetime, arrivals, transaction counts and phases. Each faulty
// kernel stands beside its repaired twin.

!bars = memref<2xi64, #gpu.address_space<workgroup>>
!stage = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @count {
  // CHECK: too_many_bytes_expected: failed
  gpu.func @too_many_bytes_expected(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
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
      nvvm.mbarrier.arrive.expect_tx %b, %ticks : !llvm.ptr<3>, i32
      nvvm.cp.async.bulk.shared.cluster.global %s, %g, %b, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    // expected-error @+1 {{deadlock: phase 0 of the mbarrier at byte 0 of shared buffer 0 never ends: it misses 0 of 1 arrivals and 9744 bytes: waits here, thread (0, 0, 0)}}
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    gpu.return
  }
}

// -----

!bars = memref<2xi64, #gpu.address_space<workgroup>>
!stage = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @no_arrival {
  // CHECK: no_arrival: failed
  gpu.func @no_arrival(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
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
      nvvm.mbarrier.expect_tx %b, %bytes : !llvm.ptr<3>, i32
      nvvm.cp.async.bulk.shared.cluster.global %s, %g, %b, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    // expected-error @+1 {{deadlock: phase 0 of the mbarrier at byte 0 of shared buffer 0 never ends: it misses 1 of 1 arrivals and 0 bytes}}
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    gpu.return
  }

  // CHECK: arrival_apart: passed
  // CHECK-NEXT: arg1: 0 1 2 3{{.*}} 62 63{{$}}
  gpu.func @arrival_apart(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
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
      nvvm.mbarrier.expect_tx %b, %bytes : !llvm.ptr<3>, i32
      nvvm.cp.async.bulk.shared.cluster.global %s, %g, %b, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
      %state = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
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

gpu.module @uninitialised {
  // CHECK: not_initialised: failed
  gpu.func @not_initialised(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"]} {
    %zero = arith.constant 0 : i32
    %ticks = arith.constant 10000 : i32
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    // expected-error @+1 {{barrier misuse: no mbarrier was initialised at byte 0 of shared buffer 0: barrier operation, thread (0, 0, 0)}}
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    gpu.return
  }
}

// -----

!bars = memref<2xi64, #gpu.address_space<workgroup>>
!stage = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @visible {
  // CHECK: no_barrier_after_init: failed
  gpu.func @no_barrier_after_init(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ticks = arith.constant 10000 : i32
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      // expected-note @+1 {{the other: write, thread (0, 0, 0)}}
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
      %state = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
    }
    // expected-error @+1 {{data race: nothing orders two accesses to byte 0 of shared buffer 0 in shared memory: atomic read of 8 bytes}}
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    gpu.return
  }
}

// -----

!bars = memref<2xi64, #gpu.address_space<workgroup>>
!stage = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @twice {
  // CHECK: initialised_twice: failed
  gpu.func @initialised_twice(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      // expected-error @+1 {{barrier misuse: the mbarrier at byte 0 of shared buffer 0 is initialised twice}}
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
    }
    gpu.return
  }

  // CHECK: invalidated: passed
  gpu.func @invalidated(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ticks = arith.constant 10000 : i32
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %first {
      nvvm.mbarrier.inval %b : !llvm.ptr<3>
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      %state = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
    }
    gpu.barrier
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    gpu.return
  }
}

// -----

!bars = memref<2xi64, #gpu.address_space<workgroup>>
!stage = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @arrivals {
  // CHECK: too_many_arrivals: failed
  gpu.func @too_many_arrivals(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %first = arith.cmpi eq, %t, %c0 : index
    %two = arith.constant 2 : i32
    scf.if %first {
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      // expected-error @+1 {{barrier misuse: the phase misses 1 arrivals, but 2 come}}
      %state = nvvm.mbarrier.arrive %b, %two : !llvm.ptr<3> -> i64
    }
    gpu.return
  }
}

// -----

!bars = memref<2xi64, #gpu.address_space<workgroup>>
!stage = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @contents {
  // CHECK: overwritten: failed
  gpu.func @overwritten(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %eight = arith.constant 8 : i64
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %first {
      // expected-error @+1 {{barrier misuse: byte 0 of shared buffer 0 belongs to an mbarrier: write of 8 bytes}}
      memref.store %eight, %bars[%c0] : !bars
    }
    gpu.return
  }
}

// -----

!bars = memref<2xi64, #gpu.address_space<workgroup>>
!stage = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @arrive_all {
  // CHECK: threads_arrive: passed
  // CHECK-NEXT: arg1: 63 62{{.*}} 1 0{{$}}
  gpu.func @threads_arrive(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"], sim.print = [1]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %first = arith.cmpi eq, %t, %c0 : index
    %n = arith.constant 64 : i32
    %c63 = arith.constant 63 : index
    scf.if %first {
      nvvm.mbarrier.init %b, %n : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %x = memref.load %in[%t] : memref<64xf32>
    memref.store %x, %stage[%t] : !stage
    %state = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
    scf.while : () -> () {
      %done = nvvm.mbarrier.test.wait %b, %state : !llvm.ptr<3>, i64 -> i1
      %true = arith.constant true
      %more = arith.xori %done, %true : i1
      scf.condition(%more)
    } do {
      scf.yield
    }
    %r = arith.subi %c63, %t : index
    %y = memref.load %stage[%r] : !stage
    memref.store %y, %out[%t] : memref<64xf32>
    gpu.return
  }

  // CHECK: arrive_without_release: failed
  gpu.func @arrive_without_release(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%bars: !bars, %stage: !stage {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [64], sim.args = ["iota", "uninit"]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %ticks = arith.constant 10000 : i32
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %first = arith.cmpi eq, %t, %c0 : index
    %n = arith.constant 64 : i32
    %c63 = arith.constant 63 : index
    scf.if %first {
      nvvm.mbarrier.init %b, %n : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %x = memref.load %in[%t] : memref<64xf32>
    // expected-note @+1 {{the other: write}}
    memref.store %x, %stage[%t] : !stage
    %state = nvvm.mbarrier.arrive %b {relaxed = true} : !llvm.ptr<3> -> i64
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    %r = arith.subi %c63, %t : index
    // expected-error-re @+1 {{data race: nothing orders two accesses to byte {{.*}} of shared buffer 1}}
    %y = memref.load %stage[%r] : !stage
    memref.store %y, %out[%t] : memref<64xf32>
    gpu.return
  }
}

// -----

!bars = memref<2xi64, #gpu.address_space<workgroup>>

// The loop of a wait branches uniformly: lanes that wait for different barriers
// could leave it with each other.
gpu.module @waits_of_a_warp {
  // CHECK: a_barrier_for_each_half: failed
  gpu.func @a_barrier_for_each_half() workgroup(%bars: !bars) kernel
      attributes {sim.block = [32], sim.args = []} {
    %t = gpu.thread_id x
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0 : i32
    %n = arith.constant 16 : i32
    %ticks = arith.constant 10000 : i32
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %half = arith.divui %t, %c16 : index
    %lane = arith.remui %t, %c16 : index
    %c0 = arith.constant 0 : index
    %first = arith.cmpi eq, %lane, %c0 : index
    %offset = arith.muli %half, %c8 : index
    %address = arith.addi %bi, %offset : index
    %b64 = arith.index_cast %address : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    scf.if %first {
      nvvm.mbarrier.init %b, %n : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %state = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
    // expected-error @+1 {{expected the threads of a warp to wait for the same phase of one mbarrier, but others wait at byte 0 of shared buffer 0: barrier operation, thread (16, 0, 0)}}
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    gpu.return
  }

  // CHECK: both_barriers_for_all: passed
  gpu.func @both_barriers_for_all() workgroup(%bars: !bars) kernel
      attributes {sim.block = [32], sim.args = []} {
    %t = gpu.thread_id x
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0 : i32
    %n = arith.constant 16 : i32
    %ticks = arith.constant 10000 : i32
    %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
    %half = arith.divui %t, %c16 : index
    %lane = arith.remui %t, %c16 : index
    %c0 = arith.constant 0 : index
    %first = arith.cmpi eq, %lane, %c0 : index
    %offset = arith.muli %half, %c8 : index
    %address = arith.addi %bi, %offset : index
    %b64 = arith.index_cast %address : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    scf.if %first {
      nvvm.mbarrier.init %b, %n : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %state = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
    %i64 = arith.index_cast %bi : index to i64
    %b0 = llvm.inttoptr %i64 : i64 to !llvm.ptr<3>
    %next = arith.addi %bi, %c8 : index
    %n64 = arith.index_cast %next : index to i64
    %b1 = llvm.inttoptr %n64 : i64 to !llvm.ptr<3>
    nvvm.mbarrier.try_wait.parity %b0, %zero, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.mbarrier.try_wait.parity %b1, %zero, %ticks : !llvm.ptr<3>, i32, i32
    gpu.return
  }
}

// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file --max-threads=256 --max-shared-bytes=1024 --max-static-shared-bytes=512 | FileCheck %s

// Each kernel has one fault and is followed by its repaired twin.

gpu.module @divergence {
  // Half of a warp goes to another barrier.
  // CHECK: two_barriers: failed
  gpu.func @two_barriers() kernel attributes {sim.block = [32], sim.args = []} {
    %t = gpu.thread_id x
    %c16 = arith.constant 16 : index
    %low = arith.cmpi ult, %t, %c16 : index
    scf.if %low {
      // expected-error @+1 {{divergent barrier: threads of a block wait at different barriers: waits here, thread (0, 0, 0)}}
      gpu.barrier
    } else {
      // expected-note @+1 {{the other: waits here, thread (16, 0, 0)}}
      gpu.barrier
    }
    gpu.return
  }
  // CHECK: one_barrier: passed
  gpu.func @one_barrier() kernel attributes {sim.block = [32], sim.args = []} {
    gpu.barrier
    gpu.return
  }
}

// -----

gpu.module @divergence_of_warps {
  // CHECK: barrier_by_warp: failed
  gpu.func @barrier_by_warp() kernel attributes {sim.block = [64], sim.args = []} {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %low = arith.cmpi ult, %t, %c32 : index
    scf.if %low {
      // expected-error @+1 {{divergent barrier: threads of a block wait at different barriers: waits here, thread (0, 0, 0)}}
      gpu.barrier
    } else {
      // expected-note @+1 {{the other: waits here, thread (32, 0, 0)}}
      gpu.barrier
    }
    gpu.return
  }
  // Numbered barriers are for exactly that.
  // CHECK: barrier_by_number: passed
  gpu.func @barrier_by_number() kernel attributes {sim.block = [64], sim.args = []} {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %id1 = arith.constant 1 : i32
    %id2 = arith.constant 2 : i32
    %n = arith.constant 32 : i32
    %low = arith.cmpi ult, %t, %c32 : index
    scf.if %low {
      nvvm.barrier id = %id1 number_of_threads = %n
    } else {
      nvvm.barrier id = %id2 number_of_threads = %n
    }
    gpu.return
  }
}

// -----

gpu.module @exit {
  // CHECK: early_exit: failed
  gpu.func @early_exit() kernel attributes {sim.block = [64], sim.args = []} {
    %t = gpu.thread_id x
    %c40 = arith.constant 40 : index
    %low = arith.cmpi ult, %t, %c40 : index
    cf.cond_br %low, ^work, ^done
  ^work:
    // expected-error @+1 {{divergent barrier: threads wait at a barrier that others have exited without reaching: waits here, thread (0, 0, 0)}}
    gpu.barrier
    cf.br ^done
  ^done:
    // expected-note @+1 {{the other: has exited, thread (40, 0, 0)}}
    gpu.return
  }
  // CHECK: late_exit: passed
  gpu.func @late_exit() kernel attributes {sim.block = [64], sim.args = []} {
    gpu.barrier
    gpu.return
  }
}

// -----

gpu.module @deadlock {
  // CHECK: too_many: failed
  gpu.func @too_many() kernel attributes {sim.block = [64], sim.args = []} {
    %id = arith.constant 1 : i32
    %n = arith.constant 96 : i32
    // expected-error @+1 {{deadlock: the barrier waits for more threads than ever reach it: waits here, thread (0, 0, 0)}}
    nvvm.barrier id = %id number_of_threads = %n
    gpu.return
  }
  // CHECK: enough: passed
  gpu.func @enough() kernel attributes {sim.block = [64], sim.args = []} {
    %id = arith.constant 1 : i32
    %n = arith.constant 64 : i32
    nvvm.barrier id = %id number_of_threads = %n
    gpu.return
  }
}

// -----

gpu.module @deadlock_and_exit {
  // Another warp has exited: that it does not come is no divergence.
  // CHECK: too_few: failed
  gpu.func @too_few() kernel attributes {sim.block = [64], sim.args = []} {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %id = arith.constant 1 : i32
    %n = arith.constant 64 : i32
    %low = arith.cmpi ult, %t, %c32 : index
    scf.if %low {
      // expected-error @+1 {{deadlock: the barrier waits for more threads than ever reach it: waits here, thread (0, 0, 0)}}
      nvvm.barrier id = %id number_of_threads = %n
    }
    gpu.return
  }
  // CHECK: as_many: passed
  gpu.func @as_many() kernel attributes {sim.block = [64], sim.args = []} {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %id = arith.constant 1 : i32
    %n = arith.constant 32 : i32
    %low = arith.cmpi ult, %t, %c32 : index
    scf.if %low {
      nvvm.barrier id = %id number_of_threads = %n
    }
    gpu.return
  }
}

// -----

gpu.module @hang {
  // CHECK: for_ever: failed
  gpu.func @for_ever() kernel attributes {sim.block = [1], sim.args = []} {
    %true = arith.constant true
    // expected-error @+1 {{deadlock: the loops of the block's warps do not end within 1048576 iterations in all}}
    scf.while : () -> () {
      scf.condition(%true)
    } do {
      scf.yield
    }
    gpu.return
  }
}

// -----

gpu.module @hang_of_many {
  // The bound is for all warps of the block together.
  // CHECK: all_for_ever: failed
  gpu.func @all_for_ever() kernel attributes {sim.block = [256], sim.args = []} {
    %true = arith.constant true
    // expected-error @+1 {{deadlock: the loops of the block's warps do not end within 1048576 iterations in all}}
    scf.while : () -> () {
      scf.condition(%true)
    } do {
      scf.yield
    }
    gpu.return
  }
}

// -----

gpu.module @flag {
  // Nobody sets the flag.
  // CHECK: never_set: failed
  gpu.func @never_set(%flag: memref<1xi32>) kernel
      attributes {sim.grid = [2], sim.block = [1], sim.args = ["const:0"]} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    scf.while : () -> () {
      // expected-error @+1 {{deadlock: every thread that runs polls memory that nobody changes any more}}
      %f = memref.atomic_rmw addi %zero, %flag[%c0] : (i32, memref<1xi32>) -> i32
      %unset = arith.cmpi eq, %f, %zero : i32
      scf.condition(%unset)
    } do {
      scf.yield
    }
    gpu.return
  }
  // CHECK: set: passed
  gpu.func @set(%flag: memref<1xi32>) kernel
      attributes {sim.grid = [2], sim.block = [1], sim.args = ["const:0"]} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %b = gpu.block_id x
    %last = arith.cmpi ne, %b, %c0 : index
    scf.if %last {
      %old = memref.atomic_rmw assign %one, %flag[%c0] : (i32, memref<1xi32>) -> i32
    } else {
      scf.while : () -> () {
        %f = memref.atomic_rmw addi %zero, %flag[%c0] : (i32, memref<1xi32>) -> i32
        %unset = arith.cmpi eq, %f, %zero : i32
        scf.condition(%unset)
      } do {
        scf.yield
      }
    }
    gpu.return
  }
}

// -----

gpu.module @shuffles {
  // CHECK: half_warp: failed
  gpu.func @half_warp(%out: memref<32xi32>) kernel
      attributes {sim.block = [32], sim.args = ["uninit"]} {
    %t = gpu.thread_id x
    %c16 = arith.constant 16 : index
    %low = arith.cmpi ult, %t, %c16 : index
    %d = arith.constant 1 : i32
    %w = arith.constant 32 : i32
    scf.if %low {
      // expected-error @+1 {{inactive lane: lane 15 reads from lane 16, which does not exist or has exited: shuffle, thread (15, 0, 0)}}
      %v, %p = gpu.shuffle down %d, %d, %w : i32
      memref.store %v, %out[%t] : memref<32xi32>
    }
    gpu.return
  }
  // CHECK: half_width: passed
  gpu.func @half_width(%out: memref<32xi32>) kernel
      attributes {sim.block = [32], sim.args = ["uninit"]} {
    %t = gpu.thread_id x
    %c16 = arith.constant 16 : index
    %low = arith.cmpi ult, %t, %c16 : index
    %d = arith.constant 1 : i32
    %w = arith.constant 16 : i32
    scf.if %low {
      %v, %p = gpu.shuffle down %d, %d, %w : i32
      memref.store %v, %out[%t] : memref<32xi32>
    }
    gpu.return
  }
}

// -----

gpu.module @shuffle_and_barrier {
  // The other lanes wait elsewhere.
  // CHECK: others_wait: failed
  gpu.func @others_wait(%out: memref<32xi32>) kernel
      attributes {sim.block = [32], sim.args = ["uninit"]} {
    %t = gpu.thread_id x
    %c16 = arith.constant 16 : index
    %low = arith.cmpi ult, %t, %c16 : index
    %d = arith.constant 1 : i32
    %w = arith.constant 32 : i32
    scf.if %low {
      // expected-error @+1 {{inactive lane: a lane that the operation needs never comes to it: waits here, thread (0, 0, 0)}}
      %v, %p = gpu.shuffle xor %d, %d, %w : i32
      memref.store %v, %out[%t] : memref<32xi32>
    }
    // expected-note @+1 {{the other: waits here, thread (16, 0, 0)}}
    gpu.barrier
    gpu.return
  }
}

// -----

gpu.module @limits {
  // CHECK: many_threads: failed
  // expected-error @+1 {{limit exceeded: expected at most 256 threads in a block, but the launch has 512: launch}}
  gpu.func @many_threads() kernel attributes {sim.block = [512], sim.args = []} {
    gpu.return
  }
  // CHECK: much_memory: failed
  // expected-error @+1 {{limit exceeded: expected at most 1024 bytes of shared memory, but the launch has 1028: launch}}
  gpu.func @much_memory() workgroup(%s: memref<1xf32, #gpu.address_space<workgroup>>)
      kernel attributes {sim.block = [1], sim.shared = 1024, sim.args = []} {
    gpu.return
  }
  // CHECK: much_static_memory: failed
  // expected-error @+1 {{limit exceeded: expected at most 512 bytes of static shared memory, but the launch has 516: launch}}
  gpu.func @much_static_memory() workgroup(%s: memref<129xf32, #gpu.address_space<workgroup>>)
      kernel attributes {sim.block = [1], sim.args = []} {
    gpu.return
  }
  // CHECK: static_memory: passed
  gpu.func @static_memory() workgroup(%s: memref<128xf32, #gpu.address_space<workgroup>>)
      kernel attributes {sim.block = [1], sim.args = []} {
    gpu.return
  }
  // CHECK: enough: passed
  gpu.func @enough() workgroup(%s: memref<1xf32, #gpu.address_space<workgroup>>)
      kernel attributes {sim.block = [256], sim.shared = 1020, sim.args = []} {
    gpu.return
  }
}

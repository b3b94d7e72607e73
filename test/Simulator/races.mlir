// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file | FileCheck %s
// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file --host-threads=1 | FileCheck %s

// Each kernel has one race and is followed by its repaired twin.

!shared = memref<64xf32, #gpu.address_space<workgroup>>
gpu.module @between_warps {
  // CHECK: no_barrier: failed
  gpu.func @no_barrier(%out: memref<64xf32>) workgroup(%s: !shared) kernel
      attributes {sim.block = [64], sim.args = ["uninit"]} {
    %t = gpu.thread_id x
    %c63 = arith.constant 63 : index
    %v = arith.constant 1.0 : f32
    // expected-error @+1 {{data race: nothing orders two accesses to byte 128 of shared buffer 0 in shared memory: write of 4 bytes, thread (32, 0, 0) of block (0, 0, 0) (and 63 more like it)}}
    memref.store %v, %s[%t] : !shared
    %other = arith.subi %c63, %t : index
    // expected-error @+2 {{uninitialised read: nothing has written byte 252 of shared buffer 0}}
    // expected-note @+1 {{the other: read, thread (31, 0, 0) of block (0, 0, 0)}}
    %w = memref.load %s[%other] : !shared
    memref.store %w, %out[%t] : memref<64xf32>
    gpu.return
  }
  // CHECK: barrier: passed
  gpu.func @barrier(%out: memref<64xf32>) workgroup(%s: !shared) kernel
      attributes {sim.block = [64], sim.args = ["uninit"]} {
    %t = gpu.thread_id x
    %c63 = arith.constant 63 : index
    %v = arith.constant 1.0 : f32
    memref.store %v, %s[%t] : !shared
    gpu.barrier
    %other = arith.subi %c63, %t : index
    %w = memref.load %s[%other] : !shared
    memref.store %w, %out[%t] : memref<64xf32>
    gpu.return
  }
}

// -----

!shared = memref<32xf32, #gpu.address_space<workgroup>>
gpu.module @within_a_warp {
  // Lanes of a warp do not run in step: without bar.warp.sync it is a race.
  // CHECK: in_step: failed
  gpu.func @in_step(%out: memref<32xf32>) workgroup(%s: !shared) kernel
      attributes {sim.block = [32], sim.args = ["uninit"]} {
    %t = gpu.thread_id x
    %c31 = arith.constant 31 : index
    %v = arith.constant 1.0 : f32
    // expected-note @+1 {{the other: write, thread (31, 0, 0)}}
    memref.store %v, %s[%t] : !shared
    %other = arith.subi %c31, %t : index
    // expected-error @+1 {{data race: nothing orders two accesses to byte 124 of shared buffer 0 in shared memory: read of 4 bytes, thread (0, 0, 0)}}
    %w = memref.load %s[%other] : !shared
    memref.store %w, %out[%t] : memref<32xf32>
    gpu.return
  }
  // CHECK: warp_sync: passed
  gpu.func @warp_sync(%out: memref<32xf32>) workgroup(%s: !shared) kernel
      attributes {sim.block = [32], sim.args = ["uninit"]} {
    %t = gpu.thread_id x
    %c31 = arith.constant 31 : index
    %v = arith.constant 1.0 : f32
    %all = arith.constant -1 : i32
    memref.store %v, %s[%t] : !shared
    nvvm.bar.warp.sync %all : i32
    %other = arith.subi %c31, %t : index
    %w = memref.load %s[%other] : !shared
    memref.store %w, %out[%t] : memref<32xf32>
    gpu.return
  }
}

// -----

!shared = memref<1xf32, #gpu.address_space<workgroup>>
gpu.module @reuse {
  // The second store overwrites what slow threads may not have read.
  // CHECK: reuse_early: failed
  gpu.func @reuse_early(%out: memref<64xf32>) workgroup(%s: !shared) kernel
      attributes {sim.block = [64], sim.args = ["uninit"]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %v = arith.constant 1.0 : f32
    %first = arith.cmpi eq, %t, %c0 : index
    scf.for %i = %c0 to %c2 step %c1 {
      scf.if %first {
        // expected-error @+1 {{data race: nothing orders two accesses to byte 0 of shared buffer 0 in shared memory: write of 4 bytes, thread (0, 0, 0)}}
        memref.store %v, %s[%c0] : !shared
      }
      gpu.barrier
      // expected-note @+1 {{the other: read, thread}}
      %w = memref.load %s[%c0] : !shared
      memref.store %w, %out[%t] : memref<64xf32>
    }
    gpu.return
  }
  // CHECK: reuse_late: passed
  gpu.func @reuse_late(%out: memref<64xf32>) workgroup(%s: !shared) kernel
      attributes {sim.block = [64], sim.args = ["uninit"]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %v = arith.constant 1.0 : f32
    %first = arith.cmpi eq, %t, %c0 : index
    scf.for %i = %c0 to %c2 step %c1 {
      scf.if %first {
        memref.store %v, %s[%c0] : !shared
      }
      gpu.barrier
      %w = memref.load %s[%c0] : !shared
      memref.store %w, %out[%t] : memref<64xf32>
      gpu.barrier
    }
    gpu.return
  }
}

// -----

gpu.module @between_blocks {
  // CHECK: same_place: failed
  gpu.func @same_place(%out: memref<32xf32>) kernel
      attributes {sim.grid = [2], sim.block = [32], sim.args = ["uninit"]} {
    %t = gpu.thread_id x
    %v = arith.constant 1.0 : f32
    // expected-error @+2 {{data race: nothing orders two accesses to byte}}
    // expected-note @+1 {{the other: write, thread}}
    memref.store %v, %out[%t] : memref<32xf32>
    gpu.return
  }
  // CHECK: own_place: passed
  gpu.func @own_place(%out: memref<64xf32>) kernel
      attributes {sim.grid = [2], sim.block = [32], sim.args = ["uninit"]} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %d = gpu.block_dim x
    %base = arith.muli %b, %d : index
    %i = arith.addi %base, %t : index
    %v = arith.constant 1.0 : f32
    memref.store %v, %out[%i] : memref<64xf32>
    gpu.return
  }
}

// -----

gpu.module @last_arriver {
  // The last block to arrive adds what the others wrote. Thread 0 counts
  // arrivals, but the block's other threads may not have written yet.
  // CHECK: no_barrier_before_arrival: failed
  gpu.func @no_barrier_before_arrival(%partial: memref<4x64xf32>, %count: memref<1xi32>, %out: memref<64xf32>)
      workgroup(%flag: memref<1xi32, #gpu.address_space<workgroup>>) kernel
      attributes {sim.grid = [4], sim.block = [64], sim.args = ["uninit", "const:0", "uninit"]} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %zero = arith.constant 0.0 : f32
    %v = arith.constant 1.0 : f32
    // expected-note @+1 {{the other: write, thread}}
    memref.store %v, %partial[%b, %t] : memref<4x64xf32>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      llvm.fence release
      %old = memref.atomic_rmw addi %one, %count[%c0] : (i32, memref<1xi32>) -> i32
      llvm.fence acquire
      memref.store %old, %flag[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %arrived = memref.load %flag[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    %last = arith.cmpi eq, %arrived, %three : i32
    scf.if %last {
      %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> f32 {
        // expected-error @+1 {{data race: nothing orders two accesses to byte}}
        %p = memref.load %partial[%i, %t] : memref<4x64xf32>
        %s = arith.addf %acc, %p : f32
        scf.yield %s : f32
      }
      memref.store %sum, %out[%t] : memref<64xf32>
    }
    gpu.return
  }
  // CHECK: barrier_before_arrival: passed
  // CHECK-NEXT: arg2: 4 4 4
  gpu.func @barrier_before_arrival(%partial: memref<4x64xf32>, %count: memref<1xi32>, %out: memref<64xf32>)
      workgroup(%flag: memref<1xi32, #gpu.address_space<workgroup>>) kernel
      attributes {sim.grid = [4], sim.block = [64], sim.args = ["uninit", "const:0", "uninit"], sim.print = [2]} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %zero = arith.constant 0.0 : f32
    %v = arith.constant 1.0 : f32
    memref.store %v, %partial[%b, %t] : memref<4x64xf32>
    gpu.barrier
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      llvm.fence release
      %old = memref.atomic_rmw addi %one, %count[%c0] : (i32, memref<1xi32>) -> i32
      llvm.fence acquire
      memref.store %old, %flag[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %arrived = memref.load %flag[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    %last = arith.cmpi eq, %arrived, %three : i32
    scf.if %last {
      %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> f32 {
        %p = memref.load %partial[%i, %t] : memref<4x64xf32>
        %s = arith.addf %acc, %p : f32
        scf.yield %s : f32
      }
      memref.store %sum, %out[%t] : memref<64xf32>
    }
    gpu.return
  }
}

// -----

!shared = memref<32xf32, #gpu.address_space<workgroup>>
gpu.module @async {
  // CHECK: no_wait: failed
  gpu.func @no_wait(%in: memref<32xf32>, %out: memref<32xf32>) workgroup(%s: !shared) kernel
      attributes {sim.block = [32], sim.args = ["iota", "uninit"]} {
    %t = gpu.thread_id x
    // expected-note @+1 {{the other: asynchronous copy that has not been waited for, thread (0, 0, 0)}}
    %c = nvgpu.device_async_copy %in[%t], %s[%t], 1 : memref<32xf32> to !shared
    %g = nvgpu.device_async_create_group %c
    // expected-error @+1 {{data race: nothing orders two accesses to byte 0 of shared buffer 0 in shared memory: read of 4 bytes, thread (0, 0, 0)}}
    %v = memref.load %s[%t] : !shared
    memref.store %v, %out[%t] : memref<32xf32>
    gpu.return
  }
  // CHECK: wait: passed
  // CHECK-NEXT: arg1: 0 1 2 3
  gpu.func @wait(%in: memref<32xf32>, %out: memref<32xf32>) workgroup(%s: !shared) kernel
      attributes {sim.block = [32], sim.args = ["iota", "uninit"], sim.print = [1]} {
    %t = gpu.thread_id x
    %c = nvgpu.device_async_copy %in[%t], %s[%t], 1 : memref<32xf32> to !shared
    %g = nvgpu.device_async_create_group %c
    nvgpu.device_async_wait %g
    %v = memref.load %s[%t] : !shared
    memref.store %v, %out[%t] : memref<32xf32>
    gpu.return
  }
}

// -----

!shared = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @casts {
  // Shared memory seen as memory of no stated space: neighbours of 4 bytes are not
  // the same place.
  // CHECK: cast_neighbours: passed
  gpu.func @cast_neighbours() workgroup(%s: !shared {llvm.align = 16 : i64})
      kernel attributes {sim.block = [64], sim.args = []} {
    %t = gpu.thread_id x
    %g = memref.memory_space_cast %s : !shared to memref<64xf32>
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %g[%t] : memref<64xf32>
    gpu.return
  }
  // CHECK: cast_same: failed
  gpu.func @cast_same() workgroup(%s: !shared {llvm.align = 16 : i64})
      kernel attributes {sim.block = [64], sim.args = []} {
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %i = arith.shrui %t, %c1 : index
    %g = memref.memory_space_cast %s : !shared to memref<64xf32>
    %zero = arith.constant 0.0 : f32
    // expected-error @+2 {{data race: nothing orders two accesses to byte 0}}
    // expected-note @+1 {{the other: write}}
    memref.store %zero, %g[%i] : memref<64xf32>
    gpu.return
  }
}

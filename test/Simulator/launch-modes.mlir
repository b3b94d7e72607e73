// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file --max-resident-blocks=4 | FileCheck %s
// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file --max-resident-blocks=4 --host-threads=1 | FileCheck %s

// Cooperative and dependent launches. Each faulty kernel stands beside its
// repaired twin.

gpu.module @cooperative {
  // A grid barrier in what the driver keeps for it: block 0 adds what makes the
  // sum 2^31, the others 1; all wait until that bit changes.
  // CHECK: grid_barrier: passed
  // CHECK-NEXT: arg1: 10 10 10 10{{$}}
  gpu.func @grid_barrier(%partial: memref<4xi32>, %out: memref<4xi32>) kernel
      attributes {sim.mode = "cooperative", sim.grid = [4], sim.block = [32], sim.args = ["uninit", "uninit"], sim.print = [1]} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %isFirst = arith.cmpi eq, %b, %c0 : index
    %rest = arith.constant 0x7ffffffd : i32
    %n = arith.select %isFirst, %rest, %one : i32
    %leads = arith.cmpi eq, %t, %c0 : index
    scf.if %leads {
      %b1 = arith.addi %b, %c1 : index
      %v = arith.index_cast %b1 : index to i32
      memref.store %v, %partial[%b] : memref<4xi32>
    }
    gpu.barrier
    scf.if %leads {
      %high32 = nvvm.read.ptx.sreg.envreg1 : i32
      %low32 = nvvm.read.ptx.sreg.envreg2 : i32
      %high = arith.extui %high32 : i32 to i64
      %low = arith.extui %low32 : i32 to i64
      %n32 = arith.constant 32 : i64
      %n4 = arith.constant 4 : i64
      %shifted = arith.shli %high, %n32 : i64
      %address = arith.ori %shifted, %low : i64
      %barrier = arith.addi %address, %n4 : i64
      %p = llvm.inttoptr %barrier : i64 to !llvm.ptr
      llvm.fence syncscope("device") acq_rel
      %old = llvm.atomicrmw add %p, %n syncscope("device") monotonic : !llvm.ptr, i32
      scf.while : () -> () {
        %now = llvm.load %p atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr -> i32
        %difference = arith.xori %now, %old : i32
        %waits = arith.cmpi sge, %difference, %zero : i32
        scf.condition(%waits)
      } do {
        scf.yield
      }
    }
    gpu.barrier
    scf.if %leads {
      %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> i32 {
        %x = memref.load %partial[%i] : memref<4xi32>
        %s = arith.addi %acc, %x : i32
        scf.yield %s : i32
      }
      memref.store %sum, %out[%b] : memref<4xi32>
    }
    gpu.return
  }
  // CHECK: too_many_blocks: failed
  // expected-error @+1 {{limit exceeded: expected at most 4 blocks in a cooperative launch, which must all be resident at once, but the launch has 5}}
  gpu.func @too_many_blocks() kernel
      attributes {sim.mode = "cooperative", sim.grid = [5], sim.block = [32], sim.args = []} {
    gpu.return
  }
  // CHECK: plain: failed
  // expected-error @+1 {{the kernel uses what the driver keeps for cooperative launches, but the launch is not cooperative}}
  gpu.func @plain() kernel attributes {sim.grid = [4], sim.block = [32], sim.args = []} {
    %high32 = nvvm.read.ptx.sreg.envreg1 : i32
    gpu.return
  }
}

// -----

gpu.module @dependent {
  // CHECK: first: passed
  gpu.func @first(%a: memref<32xf32>) kernel attributes {sim.block = [32], sim.args = ["uninit"]} {
    %t = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    nvvm.griddepcontrol launch_dependents
    memref.store %one, %a[%t] : memref<32xf32>
    gpu.return
  }
  // CHECK: waits: passed
  // CHECK-NEXT: arg1: 1 1 1
  gpu.func @waits(%a: memref<32xf32>, %out: memref<32xf32>) kernel
      attributes {sim.mode = "dependent", sim.block = [32], sim.args = ["last:0", "uninit"], sim.print = [1]} {
    %t = gpu.thread_id x
    nvvm.griddepcontrol wait
    %v = memref.load %a[%t] : memref<32xf32>
    memref.store %v, %out[%t] : memref<32xf32>
    gpu.return
  }
  // One thread waits for all of its block.
  // CHECK: first_again: passed
  gpu.func @first_again(%a: memref<64xf32>) kernel attributes {sim.block = [64], sim.args = ["uninit"]} {
    %t = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    memref.store %one, %a[%t] : memref<64xf32>
    gpu.return
  }
  // CHECK: one_waits: passed
  gpu.func @one_waits(%a: memref<64xf32>) kernel
      attributes {sim.mode = "dependent", sim.block = [64], sim.args = ["last:0"]} {
    %t = gpu.thread_id x
    %c40 = arith.constant 40 : index
    %is = arith.cmpi eq, %t, %c40 : index
    scf.if %is {
      nvvm.griddepcontrol wait
    }
    gpu.barrier
    %v = memref.load %a[%t] : memref<64xf32>
    gpu.return
  }
}

// -----

gpu.module @too_early {
  // CHECK: writes: passed
  gpu.func @writes(%a: memref<32xf32>) kernel attributes {sim.block = [32], sim.args = ["uninit"]} {
    %t = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    // expected-note @+1 {{the other: write by the launch before, thread (0, 0, 0)}}
    memref.store %one, %a[%t] : memref<32xf32>
    gpu.return
  }
  // CHECK: reads_too_early: failed
  gpu.func @reads_too_early(%a: memref<32xf32>) kernel
      attributes {sim.mode = "dependent", sim.block = [32], sim.args = ["last:0"]} {
    %t = gpu.thread_id x
    // expected-error @+1 {{data race: the launch before may not have ended: nothing orders two accesses to byte 0 of allocation 0 in global memory: read of 4 bytes, thread (0, 0, 0)}}
    %v = memref.load %a[%t] : memref<32xf32>
    nvvm.griddepcontrol wait
    gpu.return
  }
}

// -----

gpu.module @overwrites {
  // CHECK: reads: passed
  gpu.func @reads(%a: memref<32xf32>) kernel attributes {sim.block = [32], sim.args = ["iota"]} {
    %t = gpu.thread_id x
    // expected-note @+1 {{the other: read by the launch before, thread (0, 0, 0)}}
    %v = memref.load %a[%t] : memref<32xf32>
    gpu.return
  }
  // CHECK: overwrites_too_early: failed
  gpu.func @overwrites_too_early(%a: memref<32xf32>) kernel
      attributes {sim.mode = "dependent", sim.block = [32], sim.args = ["last:0"]} {
    %t = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{data race: the launch before may not have ended: nothing orders two accesses to byte 0 of allocation 0 in global memory: write of 4 bytes, thread (0, 0, 0)}}
    memref.store %one, %a[%t] : memref<32xf32>
    gpu.return
  }
  // A plain launch comes after everything.
  // CHECK: plain_launch: passed
  gpu.func @plain_launch(%a: memref<32xf32>) kernel
      attributes {sim.block = [32], sim.args = ["last:0"]} {
    %t = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    memref.store %one, %a[%t] : memref<32xf32>
    gpu.return
  }
}

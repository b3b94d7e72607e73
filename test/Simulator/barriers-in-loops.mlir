// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file | FileCheck %s

// The device executes a barrier for a warp as a whole: all of its threads come to
// it in the same iteration.

gpu.module @iterations {
  // Half of the warp in the first iteration, the rest in the second.
  // CHECK: apart: failed
  gpu.func @apart() kernel attributes {sim.block = [32], sim.args = []} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %low = arith.cmpi ult, %t, %c16 : index
    scf.for %i = %c0 to %c2 step %c1 {
      %first = arith.cmpi eq, %i, %c0 : index
      %mine = arith.cmpi eq, %low, %first : i1
      scf.if %mine {
        // expected-error @+2 {{divergent barrier: threads of a warp wait at the barrier in different iterations of a loop: waits here, thread (0, 0, 0)}}
        // expected-note @+1 {{the other: waits here, thread (16, 0, 0)}}
        gpu.barrier
      }
    }
    gpu.return
  }
  // CHECK: together: passed
  gpu.func @together() kernel attributes {sim.block = [32], sim.args = []} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      %first = arith.cmpi eq, %i, %c0 : index
      scf.if %first {
        gpu.barrier
      }
    }
    gpu.return
  }
  // Loops that end after different iterations for each lane, between barriers of
  // a loop around them and behind one that all reach in its first iteration.
  // CHECK: uneven: passed
  gpu.func @uneven(%out: memref<32xindex>) kernel
      attributes {sim.block = [32], sim.args = ["uninit"], sim.print = [0]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %n = arith.addi %t, %c1 : index
    %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %c0) -> index {
      gpu.barrier
      %b = scf.for %j = %c0 to %n step %c1 iter_args(%x = %a) -> index {
        %first = arith.cmpi eq, %j, %c0 : index
        scf.if %first {
          gpu.barrier
        }
        %y = arith.addi %x, %c1 : index
        scf.yield %y : index
      }
      gpu.barrier
      scf.yield %b : index
    }
    // CHECK-NEXT: arg0: 3 6 9 12
    memref.store %sum, %out[%t] : memref<32xindex>
    gpu.return
  }
}

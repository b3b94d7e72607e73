// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file --max-idle-turns=100000 | FileCheck %s

// A wait is a deadlock if all that run are back where they were and nothing has
// changed. What counts its attempts is not: it may end.

gpu.module @bounded {
  // CHECK: tries: passed
  // CHECK-NEXT: arg1: 20000
  gpu.func @tries(%flag: memref<1xi32>, %out: memref<1xi32>) kernel
      attributes {sim.block = [1], sim.args = ["const:0", "uninit"], sim.print = [1]} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %most = arith.constant 20000 : i32
    %n = scf.while (%i = %zero) : (i32) -> i32 {
      %f = memref.atomic_rmw ori %zero, %flag[%c0] : (i32, memref<1xi32>) -> i32
      %unset = arith.cmpi eq, %f, %zero : i32
      %more = arith.cmpi slt, %i, %most : i32
      %again = arith.andi %unset, %more : i1
      scf.condition(%again) %i : i32
    } do {
    ^bb0(%i: i32):
      %next = arith.addi %i, %one : i32
      scf.yield %next : i32
    }
    memref.store %n, %out[%c0] : memref<1xi32>
    gpu.return
  }
  // Atomics that change nothing.
  // CHECK: maxima: passed
  gpu.func @maxima(%m: memref<1xi32>) kernel
      attributes {sim.grid = [2], sim.block = [32], sim.args = ["const:1000000"]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 10000 : index
    scf.for %i = %c0 to %n step %c1 {
      %v = arith.index_cast %i : index to i32
      %old = memref.atomic_rmw maxs %v, %m[%c0] : (i32, memref<1xi32>) -> i32
    }
    gpu.return
  }
}

// -----

gpu.module @halves {
  // The lanes of a warp wait for one another.
  // CHECK: crossed: failed
  gpu.func @crossed(%flags: memref<2xi32>) kernel
      attributes {sim.block = [2], sim.args = ["const:0"]} {
    %t = gpu.thread_id x
    %zero = arith.constant 0 : i32
    scf.while : () -> () {
      // expected-error @+1 {{deadlock: every thread that runs polls memory that nobody changes any more}}
      %f = memref.atomic_rmw ori %zero, %flags[%t] : (i32, memref<2xi32>) -> i32
      %unset = arith.cmpi eq, %f, %zero : i32
      scf.condition(%unset)
    } do {
      scf.yield
    }
    gpu.return
  }
}

// -----

gpu.module @counting {
  // Whether this ends cannot be seen.
  // CHECK: counts: failed
  gpu.func @counts(%flag: memref<1xi32>) kernel
      attributes {sim.block = [1], sim.args = ["const:0"]} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n = scf.while (%i = %zero) : (i32) -> i32 {
      // expected-error @+1 {{deadlock: given up after 100000 turns of blocks in which threads only polled and nothing changed}}
      %f = memref.atomic_rmw ori %zero, %flag[%c0] : (i32, memref<1xi32>) -> i32
      %unset = arith.cmpi eq, %f, %zero : i32
      scf.condition(%unset) %i : i32
    } do {
    ^bb0(%i: i32):
      %next = arith.addi %i, %one : i32
      scf.yield %next : i32
    }
    gpu.return
  }
}

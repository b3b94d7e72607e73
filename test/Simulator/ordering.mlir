// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file | FileCheck %s
// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file --host-threads=1 | FileCheck %s

gpu.module @grid_barrier {
  // All blocks count up and wait until the count is complete; then each reads
  // what all the others wrote.
  // CHECK: grid_barrier: passed
  // CHECK-NEXT: arg2: 10 10 10 10 10 10 10 10{{$}}
  gpu.func @grid_barrier(%partial: memref<4xi32>, %count: memref<1xi32>, %out: memref<8xi32>) kernel
      attributes {sim.grid = [4], sim.block = [64], sim.args = ["uninit", "const:0", "uninit"], sim.print = [2]} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %four = arith.constant 4 : i32
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      %b1 = arith.addi %b, %c1 : index
      %v = arith.index_cast %b1 : index to i32
      memref.store %v, %partial[%b] : memref<4xi32>
      llvm.fence release
      %old = memref.atomic_rmw addi %one, %count[%c0] : (i32, memref<1xi32>) -> i32
      scf.while : () -> () {
        %n = memref.atomic_rmw addi %zero, %count[%c0] : (i32, memref<1xi32>) -> i32
        %more = arith.cmpi slt, %n, %four : i32
        scf.condition(%more)
      } do {
        scf.yield
      }
      llvm.fence acquire
    }
    gpu.barrier
    %two = arith.cmpi ult, %t, %c2 : index
    scf.if %two {
      %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> i32 {
        %p = memref.load %partial[%i] : memref<4xi32>
        %s = arith.addi %acc, %p : i32
        scf.yield %s : i32
      }
      %base = arith.muli %b, %c2 : index
      %at = arith.addi %base, %t : index
      memref.store %sum, %out[%at] : memref<8xi32>
    }
    gpu.return
  }
}

// -----

gpu.module @grid_barrier_without_block_barrier {
  // Only thread 0 has waited for the other blocks.
  // CHECK: others_do_not_wait: failed
  gpu.func @others_do_not_wait(%partial: memref<4xi32>, %count: memref<1xi32>, %out: memref<8xi32>) kernel
      attributes {sim.grid = [4], sim.block = [2], sim.args = ["const:0", "const:0", "uninit"]} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %four = arith.constant 4 : i32
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      // expected-note @+1 {{the other: write, thread (0, 0, 0)}}
      memref.store %one, %partial[%b] : memref<4xi32>
      llvm.fence release
      %old = memref.atomic_rmw addi %one, %count[%c0] : (i32, memref<1xi32>) -> i32
      scf.while : () -> () {
        %n = memref.atomic_rmw addi %zero, %count[%c0] : (i32, memref<1xi32>) -> i32
        %more = arith.cmpi slt, %n, %four : i32
        scf.condition(%more)
      } do {
        scf.yield
      }
      llvm.fence acquire
    }
    // expected-error @+1 {{data race: nothing orders two accesses to byte 0 of allocation 0 in global memory: read of 4 bytes, thread (1, 0, 0)}}
    %p = memref.load %partial[%c0] : memref<4xi32>
    %base = arith.muli %b, %c2 : index
    %at = arith.addi %base, %t : index
    memref.store %p, %out[%at] : memref<8xi32>
    gpu.return
  }
}

// -----

gpu.module @flags {
  // Block 0 writes data, then a flag; block 1 waits for the flag. Relaxed
  // atomics alone do not order the data.
  // CHECK: relaxed: failed
  gpu.func @relaxed(%data: !llvm.ptr<1>, %flag: memref<1xi32>) kernel
      attributes {sim.args = ["alloc:4", "const:0"], sim.grid = [2], sim.block = [1]} {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %index = memref.extract_aligned_pointer_as_index %flag : memref<1xi32> -> index
    %address = arith.index_cast %index : index to i64
    %f = llvm.inttoptr %address : i64 to !llvm.ptr<1>
    %producer = arith.cmpi eq, %b, %c0 : index
    scf.if %producer {
      // expected-note @+1 {{the other: write, thread (0, 0, 0) of block (0, 0, 0)}}
      llvm.store %one, %data : i32, !llvm.ptr<1>
      llvm.store %one, %f atomic monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
    } else {
      scf.while : () -> () {
        %v = llvm.load %f atomic monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
        %unset = arith.cmpi ne, %v, %one : i32
        scf.condition(%unset)
      } do {
        scf.yield
      }
      // expected-error @+1 {{data race: nothing orders two accesses to byte 0 of allocation 0 in global memory: read of 4 bytes, thread (0, 0, 0) of block (1, 0, 0)}}
      %d = llvm.load %data : !llvm.ptr<1> -> i32
    }
    gpu.return
  }
  // CHECK: release_acquire: passed
  gpu.func @release_acquire(%data: !llvm.ptr<1>, %flag: memref<1xi32>) kernel
      attributes {sim.args = ["alloc:4", "const:0"], sim.grid = [2], sim.block = [1]} {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %index = memref.extract_aligned_pointer_as_index %flag : memref<1xi32> -> index
    %address = arith.index_cast %index : index to i64
    %f = llvm.inttoptr %address : i64 to !llvm.ptr<1>
    %producer = arith.cmpi eq, %b, %c0 : index
    scf.if %producer {
      llvm.store %one, %data : i32, !llvm.ptr<1>
      llvm.store %one, %f atomic release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    } else {
      scf.while : () -> () {
        %v = llvm.load %f atomic acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
        %unset = arith.cmpi ne, %v, %one : i32
        scf.condition(%unset)
      } do {
        scf.yield
      }
      %d = llvm.load %data : !llvm.ptr<1> -> i32
    }
    gpu.return
  }
  // Fences make relaxed atomics order what is before and after them.
  // CHECK: fences: passed
  gpu.func @fences(%data: !llvm.ptr<1>, %flag: memref<1xi32>) kernel
      attributes {sim.args = ["alloc:4", "const:0"], sim.grid = [2], sim.block = [1]} {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %index = memref.extract_aligned_pointer_as_index %flag : memref<1xi32> -> index
    %address = arith.index_cast %index : index to i64
    %f = llvm.inttoptr %address : i64 to !llvm.ptr<1>
    %producer = arith.cmpi eq, %b, %c0 : index
    scf.if %producer {
      llvm.store %one, %data : i32, !llvm.ptr<1>
      nvvm.memory.barrier #nvvm.mem_scope<gpu>
      llvm.store %one, %f atomic monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
    } else {
      scf.while : () -> () {
        %v = llvm.load %f atomic monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
        %unset = arith.cmpi ne, %v, %one : i32
        scf.condition(%unset)
      } do {
        scf.yield
      }
      llvm.fence acquire
      %d = llvm.load %data : !llvm.ptr<1> -> i32
    }
    gpu.return
  }
}

// -----

gpu.module @lanes {
  // The lanes of a warp take a lock in turn: those that wait for it must not
  // keep the one that has it from going on.
  // CHECK: spin_lock: passed
  // CHECK-NEXT: arg1: 32{{$}}
  gpu.func @spin_lock(%lock: !llvm.ptr<1>, %sum: memref<1xi32>) kernel
      attributes {sim.args = ["zeroed:4", "const:0"], sim.block = [32], sim.print = [1]} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %true = arith.constant true
    cf.br ^try
  ^try:
    %r = llvm.cmpxchg %lock, %zero, %one acquire monotonic {alignment = 4 : i64} : !llvm.ptr<1>, i32
    %taken = llvm.extractvalue %r[1] : !llvm.struct<(i32, i1)>
    cf.cond_br %taken, ^locked, ^try
  ^locked:
    %v = memref.load %sum[%c0] : memref<1xi32>
    %w = arith.addi %v, %one : i32
    memref.store %w, %sum[%c0] : memref<1xi32>
    llvm.store %zero, %lock atomic release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    gpu.return
  }
}

// -----

gpu.module @named {
  // The first warp hands a value to the second and does not wait for it.
  // CHECK: producer_consumer: passed
  // CHECK-NEXT: arg0: 0 1 2
  gpu.func @producer_consumer(%out: memref<32xi32>)
      workgroup(%s: memref<32xi32, #gpu.address_space<workgroup>>) kernel
      attributes {sim.args = ["uninit"], sim.block = [64], sim.print = [0]} {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %id = arith.constant 1 : i32
    %n = arith.constant 64 : i32
    %producer = arith.cmpi ult, %t, %c32 : index
    scf.if %producer {
      %v = arith.index_cast %t : index to i32
      memref.store %v, %s[%t] : memref<32xi32, #gpu.address_space<workgroup>>
      nvvm.barrier.arrive id = %id number_of_threads = %n
    } else {
      nvvm.barrier id = %id number_of_threads = %n
      %i = arith.subi %t, %c32 : index
      %v = memref.load %s[%i] : memref<32xi32, #gpu.address_space<workgroup>>
      memref.store %v, %out[%i] : memref<32xi32>
    }
    gpu.return
  }
}

// -----

gpu.module @missing_block {
  // All blocks wait for one that does not exist.
  // CHECK: one_missing: failed
  gpu.func @one_missing(%count: memref<1xi32>) kernel
      attributes {sim.grid = [64], sim.block = [1], sim.args = ["const:0"]} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %all = arith.constant 65 : i32
    %old = memref.atomic_rmw addi %one, %count[%c0] : (i32, memref<1xi32>) -> i32
    scf.while : () -> () {
      // expected-error @+1 {{deadlock: every thread that runs polls memory that nobody changes any more}}
      %n = memref.atomic_rmw addi %zero, %count[%c0] : (i32, memref<1xi32>) -> i32
      %more = arith.cmpi slt, %n, %all : i32
      scf.condition(%more)
    } do {
      scf.yield
    }
    gpu.return
  }
}

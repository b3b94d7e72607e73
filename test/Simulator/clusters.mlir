// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file | FileCheck %s
// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file --host-threads=1 | FileCheck %s

// Clusters, their barrier, and distributed shared memory. Each faulty kernel
// stands beside its repaired twin.

gpu.module @places {
  // The places of a block, 6 numbers each: cluster in the grid, block in the
  // cluster, rank, blocks of a cluster, and the same from special registers.
  // CHECK: places: passed
  // CHECK-NEXT: arg0: 0 0 0 4 0 4 0 1 1 4 1 4 1 0 0 4 0 4 1 1 1 4 1 4 0 0 2 4 2 4 0 1 3 4 3 4 1 0 2 4 2 4 1 1 3 4 3 4{{$}}
  gpu.func @places(%out: memref<8x6xindex>) kernel
      attributes {sim.grid = [4, 2], sim.cluster = [2, 2], sim.block = [1], sim.args = ["uninit"], sim.print = [0]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %x = gpu.block_id x
    %y = gpu.block_id y
    %y4 = arith.muli %y, %c4 : index
    %b = arith.addi %x, %y4 : index
    %cluster = gpu.cluster_id x
    %inX = gpu.cluster_block_id x
    %inY = gpu.cluster_block_id y
    %dimX = gpu.cluster_dim_blocks x
    %dimY = gpu.cluster_dim_blocks y
    %y2 = arith.muli %inY, %dimX : index
    %rank = arith.addi %inX, %y2 : index
    %blocks = arith.muli %dimX, %dimY : index
    %r32 = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %n32 = nvvm.read.ptx.sreg.cluster.nctarank : i32
    %r = arith.index_cast %r32 : i32 to index
    %n = arith.index_cast %n32 : i32 to index
    memref.store %cluster, %out[%b, %c0] : memref<8x6xindex>
    memref.store %inX, %out[%b, %c1] : memref<8x6xindex>
    memref.store %rank, %out[%b, %c2] : memref<8x6xindex>
    memref.store %blocks, %out[%b, %c3] : memref<8x6xindex>
    memref.store %r, %out[%b, %c4] : memref<8x6xindex>
    memref.store %n, %out[%b, %c5] : memref<8x6xindex>
    gpu.return
  }
  // The kernel itself says how large its clusters are.
  // CHECK: stated: passed
  // CHECK-NEXT: arg0: 0 1 0 1{{$}}
  gpu.func @stated(%out: memref<4xi32>) kernel
      attributes {nvvm.cluster_dim = array<i32: 2>, sim.grid = [4], sim.block = [1], sim.args = ["uninit"], sim.print = [0]} {
    %b = gpu.block_id x
    %r = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
    memref.store %r, %out[%b] : memref<4xi32>
    gpu.return
  }
}

// -----

gpu.module @launches {
  // expected-error @+1 {{expected a grid of whole clusters of 2x1x1 blocks, but got 3x1x1}}
  gpu.func @partial() kernel attributes {sim.grid = [3], sim.cluster = [2], sim.block = [1], sim.args = []} {
    gpu.return
  }
  // expected-error @+1 {{expected clusters of at most 16 blocks, but got 32x1x1}}
  gpu.func @huge() kernel attributes {sim.grid = [32], sim.cluster = [32], sim.block = [1], sim.args = []} {
    gpu.return
  }
  // expected-error @+1 {{limit exceeded: expected at most 8 blocks in a cluster, but the launch has 16}}
  gpu.func @large() kernel attributes {sim.grid = [16], sim.cluster = [16], sim.block = [1], sim.args = []} {
    gpu.return
  }
  // expected-error @+1 {{expected clusters of 2x1x1 blocks, as the kernel states, but got 4x1x1}}
  gpu.func @other() kernel
      attributes {nvvm.cluster_dim = array<i32: 2, 1, 1>, sim.grid = [4], sim.cluster = [4], sim.block = [1], sim.args = []} {
    gpu.return
  }
}

// -----

!slot = memref<32xi32, #gpu.address_space<workgroup>>

gpu.module @exchange {
  // Each block reads what the other one wrote.
  // CHECK: exchange: passed
  // CHECK-NEXT: arg0: 32 33 {{.*}} 63 0 1 {{.*}} 31{{$}}
  gpu.func @exchange(%out: memref<64xi32>) workgroup(%slot: !slot) kernel
      attributes {sim.grid = [2], sim.cluster = [2], sim.block = [32], sim.args = ["uninit"], sim.print = [0]} {
    %t = gpu.thread_id x
    %r = gpu.cluster_block_id x
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %base = arith.muli %r, %c32 : index
    %at = arith.addi %base, %t : index
    %v = arith.index_cast %at : index to i32
    memref.store %v, %slot[%t] : !slot
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %si = memref.extract_aligned_pointer_as_index %slot : !slot -> index
    %offset = arith.muli %t, %c4 : index
    %own = arith.addi %si, %offset : index
    %own64 = arith.index_cast %own : index to i64
    %p = llvm.inttoptr %own64 : i64 to !llvm.ptr<3>
    %other = arith.subi %c1, %r : index
    %rank = arith.index_cast %other : index to i32
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    %w = llvm.load %q : !llvm.ptr<7> -> i32
    memref.store %w, %out[%at] : memref<64xi32>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }
  // Without the first barrier.
  // CHECK: too_early: failed
  gpu.func @too_early(%out: memref<64xi32>) workgroup(%slot: !slot) kernel
      attributes {sim.grid = [2], sim.cluster = [2], sim.block = [32], sim.args = ["uninit"]} {
    %t = gpu.thread_id x
    %r = gpu.cluster_block_id x
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %v = arith.index_cast %t : index to i32
    // expected-error @+1 {{data race: nothing orders two accesses to byte 0 of shared buffer 0 in shared memory: write of 4 bytes, thread (0, 0, 0) of block (1, 0, 0)}}
    memref.store %v, %slot[%t] : !slot
    %si = memref.extract_aligned_pointer_as_index %slot : !slot -> index
    %offset = arith.muli %t, %c4 : index
    %own = arith.addi %si, %offset : index
    %own64 = arith.index_cast %own : index to i64
    %p = llvm.inttoptr %own64 : i64 to !llvm.ptr<3>
    %other = arith.subi %c1, %r : index
    %rank = arith.index_cast %other : index to i32
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    // expected-error @+2 {{uninitialised read: nothing has written byte 0 of shared buffer 0 of the block with rank 1: read of 4 bytes}}
    // expected-note @+1 {{the other: read, thread (0, 0, 0) of block (0, 0, 0)}}
    %w = llvm.load %q : !llvm.ptr<7> -> i32
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }
  // Without the last barrier: a block may be gone when the other one reads.
  // CHECK: too_late: failed
  gpu.func @too_late() workgroup(%slot: !slot) kernel
      attributes {sim.grid = [2], sim.cluster = [2], sim.block = [32], sim.args = []} {
    %t = gpu.thread_id x
    %r = gpu.cluster_block_id x
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %v = arith.index_cast %t : index to i32
    memref.store %v, %slot[%t] : !slot
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %si = memref.extract_aligned_pointer_as_index %slot : !slot -> index
    %offset = arith.muli %t, %c4 : index
    %own = arith.addi %si, %offset : index
    %own64 = arith.index_cast %own : index to i64
    %p = llvm.inttoptr %own64 : i64 to !llvm.ptr<3>
    %other = arith.subi %c1, %r : index
    %rank = arith.index_cast %other : index to i32
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    // expected-error @+2 {{exited block: byte 0 of shared buffer 0 of the block with rank 1 is gone: the block has exited: read of 4 bytes, thread (0, 0, 0) of block (0, 0, 0)}}
    // expected-note @+1 {{the other: access, thread (0, 0, 0) of block (1, 0, 0)}}
    %w = llvm.load %q : !llvm.ptr<7> -> i32
    // expected-error @+1 {{exited block: nothing orders an access to byte 0 of shared buffer 0 before the block exits: exit, thread (0, 0, 0) of block (0, 0, 0)}}
    gpu.return
  }
}

// -----

!slot = memref<32xi32, #gpu.address_space<workgroup>>

gpu.module @relaxed {
  // An arrival that releases nothing.
  // CHECK: relaxed: failed
  gpu.func @relaxed() workgroup(%slot: !slot) kernel
      attributes {sim.grid = [2], sim.cluster = [2], sim.block = [32], sim.args = []} {
    %t = gpu.thread_id x
    %one = arith.constant 1 : i32
    %v = arith.index_cast %t : index to i32
    // expected-note @+1 {{the other: write, thread}}
    memref.store %v, %slot[%t] : !slot
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.wait {aligned}
    %si = memref.extract_aligned_pointer_as_index %slot : !slot -> index
    %own64 = arith.index_cast %si : index to i64
    %p = llvm.inttoptr %own64 : i64 to !llvm.ptr<3>
    %q = nvvm.mapa %p, %one : !llvm.ptr<3> -> !llvm.ptr<7>
    // expected-error @+1 {{data race: nothing orders two accesses to byte 0 of shared buffer 0}}
    %w = llvm.load %q : !llvm.ptr<7> -> i32
    nvvm.cluster.arrive
    nvvm.cluster.wait
    gpu.return
  }
  // A fence before it does.
  // CHECK: fenced: passed
  gpu.func @fenced() workgroup(%slot: !slot) kernel
      attributes {sim.grid = [2], sim.cluster = [2], sim.block = [32], sim.args = []} {
    %t = gpu.thread_id x
    %one = arith.constant 1 : i32
    %v = arith.index_cast %t : index to i32
    memref.store %v, %slot[%t] : !slot
    nvvm.fence.sc.cluster
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.wait {aligned}
    %si = memref.extract_aligned_pointer_as_index %slot : !slot -> index
    %own64 = arith.index_cast %si : index to i64
    %p = llvm.inttoptr %own64 : i64 to !llvm.ptr<3>
    %q = nvvm.mapa %p, %one : !llvm.ptr<3> -> !llvm.ptr<7>
    %w = llvm.load %q : !llvm.ptr<7> -> i32
    nvvm.cluster.arrive
    nvvm.cluster.wait
    gpu.return
  }
}

// -----

gpu.module @cluster_barrier {
  // Threads that have exited are not waited for.
  // CHECK: exited_threads: passed
  gpu.func @exited_threads() kernel
      attributes {sim.grid = [2], sim.cluster = [2], sim.block = [64], sim.args = []} {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %low = arith.cmpi ult, %t, %c32 : index
    cf.cond_br %low, ^work, ^done
  ^work:
    nvvm.cluster.arrive
    nvvm.cluster.wait
    cf.br ^done
  ^done:
    gpu.return
  }
  // CHECK: arrives_twice: failed
  gpu.func @arrives_twice() kernel
      attributes {sim.grid = [2], sim.cluster = [2], sim.block = [32], sim.args = []} {
    nvvm.cluster.arrive
    // expected-error @+1 {{barrier misuse: the thread arrives at the cluster's barrier twice without waiting in between: barrier operation, thread (0, 0, 0)}}
    nvvm.cluster.arrive
    nvvm.cluster.wait
    gpu.return
  }
}

// -----

gpu.module @no_arrival {
  // CHECK: no_arrival: failed
  gpu.func @no_arrival() kernel
      attributes {sim.grid = [2], sim.cluster = [2], sim.block = [32], sim.args = []} {
    // expected-error @+1 {{barrier misuse: the thread waits at the cluster's barrier without having arrived: barrier operation, thread (0, 0, 0)}}
    nvvm.cluster.wait
    gpu.return
  }
}

// -----

gpu.module @divergent {
  // CHECK: some_wait_for_the_block: failed
  gpu.func @some_wait_for_the_block() kernel
      attributes {sim.grid = [2], sim.cluster = [2], sim.block = [64], sim.args = []} {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %low = arith.cmpi ult, %t, %c32 : index
    scf.if %low {
      nvvm.cluster.arrive
      // expected-error @+1 {{divergent barrier: threads of a block wait at different barriers: waits here, thread (0, 0, 0)}}
      nvvm.cluster.wait
    } else {
      // expected-note @+1 {{the other: waits here, thread (32, 0, 0)}}
      gpu.barrier
    }
    gpu.return
  }
}

// -----

!slot = memref<1xi32, #gpu.address_space<workgroup>>

gpu.module @no_such_block {
  // CHECK: no_such_block: failed
  gpu.func @no_such_block() workgroup(%slot: !slot) kernel
      attributes {sim.grid = [2], sim.cluster = [2], sim.block = [1], sim.args = []} {
    %two = arith.constant 2 : i32
    %si = memref.extract_aligned_pointer_as_index %slot : !slot -> index
    %own64 = arith.index_cast %si : index to i64
    %p = llvm.inttoptr %own64 : i64 to !llvm.ptr<3>
    // expected-error @+1 {{out of bounds: the cluster has no block with rank 2, but 2 blocks: address in the cluster}}
    %q = nvvm.mapa %p, %two : !llvm.ptr<3> -> !llvm.ptr<7>
    // expected-error @+1 {{out of bounds: address 0x}}
    %w = llvm.load %q : !llvm.ptr<7> -> i32
    gpu.return
  }
}

// -----

gpu.module @warps {
  // One lane of a warp is chosen.
  // CHECK: elect: passed
  // CHECK-NEXT: arg0: 1 0 0 0 0 0 0 0 1 0
  gpu.func @elect(%out: memref<32xi32>) kernel
      attributes {sim.block = [32], sim.args = ["uninit"], sim.print = [0]} {
    %t = gpu.thread_id x
    %c8 = arith.constant 8 : index
    %low = arith.cmpi ult, %t, %c8 : index
    %lowMask = arith.constant 0xff : i32
    %highMask = arith.constant 0xffffff00 : i32
    %chosen = scf.if %low -> i1 {
      %p = nvvm.elect.sync %lowMask -> i1
      scf.yield %p : i1
    } else {
      %p = nvvm.elect.sync %highMask -> i1
      scf.yield %p : i1
    }
    %v = arith.extui %chosen : i1 to i32
    memref.store %v, %out[%t] : memref<32xi32>
    gpu.return
  }
}

// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file | FileCheck %s
// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file --host-threads=1 | FileCheck %s

// Asynchronous stores into the shared memory of a cluster. Each faulty kernel
// stands beside its repaired twin.

!bar = memref<1xi64, #gpu.address_space<workgroup>>
!slots = memref<4xf32, #gpu.address_space<workgroup>>

gpu.module @sum {
  // Thread r of each of 4 blocks sends to the block with rank r, which adds what
  // it got.
  // CHECK: sum: passed
  // CHECK-NEXT: arg0: 6 6 6 6{{$}}
  gpu.func @sum(%out: memref<4xf32>) workgroup(%bar: !bar, %slots: !slots) kernel
      attributes {sim.grid = [4], sim.cluster = [4], sim.block = [4], sim.args = ["uninit"], sim.print = [0]} {
    %t = gpu.thread_id x
    %r = gpu.cluster_block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %bytes = arith.constant 16 : i32
    %ticks = arith.constant 1000 : i32
    %bi = memref.extract_aligned_pointer_as_index %bar : !bar -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %b, %bytes : !llvm.ptr<3>, i32
    }
    %si = memref.extract_aligned_pointer_as_index %slots : !slots -> index
    %offset = arith.muli %r, %c4 : index
    %at = arith.addi %si, %offset : index
    %at64 = arith.index_cast %at : index to i64
    %p = llvm.inttoptr %at64 : i64 to !llvm.ptr<3>
    %rank = arith.index_cast %t : index to i32
    %slot = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    %there = nvvm.mapa %b, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    %ri = arith.index_cast %r : index to i32
    %value = arith.sitofp %ri : i32 to f32
    nvvm.inline_ptx "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [$0], $1, [$2];" ro(%slot, %value, %there : !llvm.ptr<7>, f32, !llvm.ptr<7>)
    nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
    scf.if %first {
      %f0 = arith.constant 0.0 : f32
      %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %f0) -> f32 {
        %x = memref.load %slots[%i] : !slots
        %s = arith.addf %acc, %x : f32
        scf.yield %s : f32
      }
      memref.store %sum, %out[%r] : memref<4xf32>
    }
    gpu.return
  }
  // Nobody waits for what comes.
  // CHECK: no_wait: failed
  gpu.func @no_wait(%out: memref<4xf32>) workgroup(%bar: !bar, %slots: !slots) kernel
      attributes {sim.grid = [2], sim.cluster = [2], sim.block = [1], sim.args = ["uninit"]} {
    %r = gpu.cluster_block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %bytes = arith.constant 4 : i32
    %value = arith.constant 1.0 : f32
    %bi = memref.extract_aligned_pointer_as_index %bar : !bar -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    nvvm.mbarrier.arrive.expect_tx %b, %bytes : !llvm.ptr<3>, i32
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %si = memref.extract_aligned_pointer_as_index %slots : !slots -> index
    %at64 = arith.index_cast %si : index to i64
    %p = llvm.inttoptr %at64 : i64 to !llvm.ptr<3>
    %other = arith.subi %c1, %r : index
    %rank = arith.index_cast %other : index to i32
    %slot = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    %there = nvvm.mapa %b, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    // expected-note @+1 {{the other: asynchronous copy that has not been waited for, thread (0, 0, 0) of block}}
    nvvm.inline_ptx "st.async.shared::cluster.mbarrier::complete_tx::bytes.f32 [%0], %1, [%2]" ro(%slot, %value, %there : !llvm.ptr<7>, f32, !llvm.ptr<7>)
    // The barrier of the cluster does not wait for it.
    nvvm.cluster.arrive
    nvvm.cluster.wait
    // expected-error @+1 {{data race: nothing orders two accesses to byte 0 of shared buffer 1 in shared memory: read of 4 bytes}}
    %x = memref.load %slots[%c0] : !slots
    // expected-error @+1 {{exited block: nothing orders an access to byte 0 of shared buffer 1 before the block exits: exit}}
    gpu.return
  }
}

// -----

!bar = memref<1xi64, #gpu.address_space<workgroup>>
!slots = memref<4xi32, #gpu.address_space<workgroup>>

gpu.module @vectors {
  // Four values at once, to the block itself.
  // CHECK: four: passed
  // CHECK-NEXT: arg0: 10 20 30 40{{$}}
  gpu.func @four(%out: memref<4xi32>) workgroup(%bar: !bar, %slots: !slots {llvm.align = 16 : i64}) kernel
      attributes {sim.block = [1], sim.args = ["uninit"], sim.print = [0]} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %bytes = arith.constant 16 : i32
    %v0 = arith.constant 10 : i32
    %v1 = arith.constant 20 : i32
    %v2 = arith.constant 30 : i32
    %v3 = arith.constant 40 : i32
    %bi = memref.extract_aligned_pointer_as_index %bar : !bar -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    %si = memref.extract_aligned_pointer_as_index %slots : !slots -> index
    %s64 = arith.index_cast %si : index to i64
    %s = llvm.inttoptr %s64 : i64 to !llvm.ptr<3>
    %slot = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr<7>
    %there = llvm.addrspacecast %b : !llvm.ptr<3> to !llvm.ptr<7>
    nvvm.inline_ptx "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [$0], {$1, $2, $3, $4}, [$5];" ro(%slot, %v0, %v1, %v2, %v3, %there : !llvm.ptr<7>, i32, i32, i32, i32, !llvm.ptr<7>)
    // The bytes may come before they are expected.
    nvvm.mbarrier.arrive.expect_tx %b, %bytes : !llvm.ptr<3>, i32
    nvvm.mbarrier.try_wait.parity %b, %zero, %bytes : !llvm.ptr<3>, i32, i32
    %v = vector.load %slots[%c0] : !slots, vector<4xi32>
    vector.store %v, %out[%c0] : memref<4xi32>, vector<4xi32>
    gpu.return
  }
}

// -----

!bar = memref<1xi64, #gpu.address_space<workgroup>>
!slots = memref<4xi32, #gpu.address_space<workgroup>>

gpu.module @other_block {
  // The mbarrier must be where the bytes go.
  // CHECK: other_block: failed
  gpu.func @other_block() workgroup(%bar: !bar, %slots: !slots) kernel
      attributes {sim.grid = [2], sim.cluster = [2], sim.block = [1], sim.args = []} {
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %bi = memref.extract_aligned_pointer_as_index %bar : !bar -> index
    %b64 = arith.index_cast %bi : index to i64
    %b = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
    nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %si = memref.extract_aligned_pointer_as_index %slots : !slots -> index
    %s64 = arith.index_cast %si : index to i64
    %s = llvm.inttoptr %s64 : i64 to !llvm.ptr<3>
    %slot = nvvm.mapa %s, %zero : !llvm.ptr<3> -> !llvm.ptr<7>
    %there = nvvm.mapa %b, %one : !llvm.ptr<3> -> !llvm.ptr<7>
    // expected-error @+1 {{barrier misuse: expected the mbarrier in the block that the bytes go to}}
    nvvm.inline_ptx "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [$0], $1, [$2];" ro(%slot, %one, %there : !llvm.ptr<7>, i32, !llvm.ptr<7>)
    nvvm.cluster.arrive
    nvvm.cluster.wait
    gpu.return
  }
}

// -----

// Other PTX is refused by name, as is an st.async with operands out of place.
gpu.module @refused {
  gpu.func @other_instruction() kernel attributes {sim.block = [1], sim.args = []} {
    %x = arith.constant 1.0 : f32
    // expected-error @+1 {{the simulator executes st.async with an mbarrier only, but got the PTX 'ex2.approx.ftz.f32 $0, $1;'}}
    %y = nvvm.inline_ptx "ex2.approx.ftz.f32 $0, $1;" ro(%x : f32) -> f32
    gpu.return
  }
  gpu.func @other_order(%p: !llvm.ptr) kernel attributes {sim.block = [1], sim.args = ["alloc:16"]} {
    %q = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<3>
    %c = llvm.addrspacecast %q : !llvm.ptr<3> to !llvm.ptr<7>
    %x = arith.constant 1.0 : f32
    // expected-error @+1 {{the simulator does not execute 'nvvm.inline_ptx' of this form}}
    nvvm.inline_ptx "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [$0], $2, [$1];" ro(%c, %c, %x : !llvm.ptr<7>, !llvm.ptr<7>, f32)
    gpu.return
  }
  gpu.func @other_size(%p: !llvm.ptr) kernel attributes {sim.block = [1], sim.args = ["alloc:16"]} {
    %q = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<3>
    %c = llvm.addrspacecast %q : !llvm.ptr<3> to !llvm.ptr<7>
    %x = arith.constant 1.0 : f32
    // expected-error @+1 {{the simulator does not execute 'nvvm.inline_ptx' of this form}}
    nvvm.inline_ptx "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [$0], $1, [$2];" ro(%c, %x, %c : !llvm.ptr<7>, f32, !llvm.ptr<7>)
    gpu.return
  }
}

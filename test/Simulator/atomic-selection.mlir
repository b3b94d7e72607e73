// Atomics order what the instructions that LLVM selects for them order. Where PTX
// has one instruction for a read-modify-write, LLVM selects its relaxed form,
// whatever order the operation asks for; loads, stores, fences and what becomes a
// loop around atom.cas have the order they ask for. Both are checked: the
// instructions, and what the simulator says of them.
// RUN: fusion-sim-test %s --verify-diagnostics | FileCheck %s
// RUN: fusion-opt %s --fusion-to-ptx=chip=sm_90 --fusion-emit=ptx | FileCheck %s --check-prefix=PTX

gpu.module @selection {
  // The producer asks for a release, and gets none.
  // CHECK: add_releases_not: failed
  // PTX-LABEL: .entry add_releases_not(
  // PTX-DAG: atom.global.add.u32
  // PTX-DAG: ld.acquire.gpu
  gpu.func @add_releases_not(%data: memref<1xi32>, %out: memref<1xi32>, %flag: memref<1xi32>) kernel
      attributes {sim.args = ["uninit", "uninit", "const:0"], sim.grid = [2], sim.block = [1]} {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %set = arith.constant 1 : i32
    %index = memref.extract_aligned_pointer_as_index %flag : memref<1xi32> -> index
    %address = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %address : i64 to !llvm.ptr<1>
    %produces = arith.cmpi eq, %b, %c0 : index
    scf.if %produces {
      // expected-note @+1 {{the other: write, thread (0, 0, 0)}}
      memref.store %one, %data[%c0] : memref<1xi32>
      %o = llvm.atomicrmw add %p, %set syncscope("device") acq_rel : !llvm.ptr<1>, i32
    } else {
      scf.while : () -> () {
        %v = llvm.load %p atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
        %waits = arith.cmpi ne, %v, %set : i32
        scf.condition(%waits)
      } do {
        scf.yield
      }
      // expected-error @+1 {{data race: nothing orders two accesses to byte 0 of}}
      %d = memref.load %data[%c0] : memref<1xi32>
      memref.store %d, %out[%c0] : memref<1xi32>
    }
    gpu.return
  }

  // A fence before a relaxed addition is a release.
  // CHECK: add_after_fence: passed
  // PTX-LABEL: .entry add_after_fence(
  // PTX-DAG: fence.acq_rel.gpu
  // PTX-DAG: atom.global.add.u32
  // PTX-DAG: ld.acquire.gpu
  gpu.func @add_after_fence(%data: memref<1xi32>, %out: memref<1xi32>, %flag: memref<1xi32>) kernel
      attributes {sim.args = ["uninit", "uninit", "const:0"], sim.grid = [2], sim.block = [1]} {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %set = arith.constant 1 : i32
    %index = memref.extract_aligned_pointer_as_index %flag : memref<1xi32> -> index
    %address = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %address : i64 to !llvm.ptr<1>
    %produces = arith.cmpi eq, %b, %c0 : index
    scf.if %produces {
      memref.store %one, %data[%c0] : memref<1xi32>
      llvm.fence syncscope("device") release
      %o = llvm.atomicrmw add %p, %set syncscope("device") monotonic : !llvm.ptr<1>, i32
    } else {
      scf.while : () -> () {
        %v = llvm.load %p atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
        %waits = arith.cmpi ne, %v, %set : i32
        scf.condition(%waits)
      } do {
        scf.yield
      }
      %d = memref.load %data[%c0] : memref<1xi32>
      memref.store %d, %out[%c0] : memref<1xi32>
    }
    gpu.return
  }

  // What memref.atomic_rmw becomes asks for both as well.
  // CHECK: memref_add: failed
  // PTX-LABEL: .entry memref_add(
  // PTX-DAG: atom.global.add.u32
  gpu.func @memref_add(%data: memref<1xi32>, %out: memref<1xi32>, %flag: memref<1xi32>) kernel
      attributes {sim.args = ["uninit", "uninit", "const:0"], sim.grid = [2], sim.block = [1]} {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %set = arith.constant 1 : i32
    %index = memref.extract_aligned_pointer_as_index %flag : memref<1xi32> -> index
    %address = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %address : i64 to !llvm.ptr<1>
    %produces = arith.cmpi eq, %b, %c0 : index
    scf.if %produces {
      // expected-note @+1 {{the other: write, thread (0, 0, 0)}}
      memref.store %one, %data[%c0] : memref<1xi32>
      %o = memref.atomic_rmw addi %set, %flag[%c0] : (i32, memref<1xi32>) -> i32
    } else {
      scf.while : () -> () {
        %v = llvm.load %p atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
        %waits = arith.cmpi ne, %v, %set : i32
        scf.condition(%waits)
      } do {
        scf.yield
      }
      // expected-error @+1 {{data race: nothing orders two accesses to byte 0 of}}
      %d = memref.load %data[%c0] : memref<1xi32>
      memref.store %d, %out[%c0] : memref<1xi32>
    }
    gpu.return
  }

  // Not even one that is sequentially consistent.
  // CHECK: exchange_sequential: failed
  // PTX-LABEL: .entry exchange_sequential(
  // PTX-NOT: fence
  // PTX-DAG: atom.global.exch.b32
  // PTX-NOT: fence
  gpu.func @exchange_sequential(%data: memref<1xi32>, %out: memref<1xi32>, %flag: memref<1xi32>) kernel
      attributes {sim.args = ["uninit", "uninit", "const:0"], sim.grid = [2], sim.block = [1]} {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %set = arith.constant 1 : i32
    %index = memref.extract_aligned_pointer_as_index %flag : memref<1xi32> -> index
    %address = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %address : i64 to !llvm.ptr<1>
    %produces = arith.cmpi eq, %b, %c0 : index
    scf.if %produces {
      // expected-note @+1 {{the other: write, thread (0, 0, 0)}}
      memref.store %one, %data[%c0] : memref<1xi32>
      %o = llvm.atomicrmw xchg %p, %set syncscope("device") seq_cst : !llvm.ptr<1>, i32
    } else {
      scf.while : () -> () {
        %v = llvm.load %p atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
        %waits = arith.cmpi ne, %v, %set : i32
        scf.condition(%waits)
      } do {
        scf.yield
      }
      // expected-error @+1 {{data race: nothing orders two accesses to byte 0 of}}
      %d = memref.load %data[%c0] : memref<1xi32>
      memref.store %d, %out[%c0] : memref<1xi32>
    }
    gpu.return
  }

  // The consumer asks for an acquire, and gets none.
  // CHECK: or_acquires_not: failed
  // PTX-LABEL: .entry or_acquires_not(
  // PTX-DAG: st.release.gpu
  // PTX-DAG: atom.global.or.b32
  gpu.func @or_acquires_not(%data: memref<1xi32>, %out: memref<1xi32>, %flag: memref<1xi32>) kernel
      attributes {sim.args = ["uninit", "uninit", "const:0"], sim.grid = [2], sim.block = [1]} {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %set = arith.constant 1 : i32
    %index = memref.extract_aligned_pointer_as_index %flag : memref<1xi32> -> index
    %address = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %address : i64 to !llvm.ptr<1>
    %produces = arith.cmpi eq, %b, %c0 : index
    scf.if %produces {
      // expected-note @+1 {{the other: write, thread (0, 0, 0)}}
      memref.store %one, %data[%c0] : memref<1xi32>
      llvm.store %set, %p atomic syncscope("device") release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    } else {
      scf.while : () -> () {
        %zero = arith.constant 0 : i32
        %v = llvm.atomicrmw _or %p, %zero syncscope("device") acquire : !llvm.ptr<1>, i32
        %waits = arith.cmpi ne, %v, %set : i32
        scf.condition(%waits)
      } do {
        scf.yield
      }
      // expected-error @+1 {{data race: nothing orders two accesses to byte 0 of}}
      %d = memref.load %data[%c0] : memref<1xi32>
      memref.store %d, %out[%c0] : memref<1xi32>
    }
    gpu.return
  }

  // A fence after a relaxed operation is an acquire.
  // CHECK: or_before_fence: passed
  // PTX-LABEL: .entry or_before_fence(
  // PTX-DAG: st.release.gpu
  // PTX-DAG: atom.global.or.b32
  // PTX-DAG: fence.acq_rel.gpu
  gpu.func @or_before_fence(%data: memref<1xi32>, %out: memref<1xi32>, %flag: memref<1xi32>) kernel
      attributes {sim.args = ["uninit", "uninit", "const:0"], sim.grid = [2], sim.block = [1]} {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %set = arith.constant 1 : i32
    %index = memref.extract_aligned_pointer_as_index %flag : memref<1xi32> -> index
    %address = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %address : i64 to !llvm.ptr<1>
    %produces = arith.cmpi eq, %b, %c0 : index
    scf.if %produces {
      memref.store %one, %data[%c0] : memref<1xi32>
      llvm.store %set, %p atomic syncscope("device") release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    } else {
      scf.while : () -> () {
        %zero = arith.constant 0 : i32
        %v = llvm.atomicrmw _or %p, %zero syncscope("device") monotonic : !llvm.ptr<1>, i32
        %waits = arith.cmpi ne, %v, %set : i32
        scf.condition(%waits)
      } do {
        scf.yield
      }
      llvm.fence syncscope("device") acquire
      %d = memref.load %data[%c0] : memref<1xi32>
      memref.store %d, %out[%c0] : memref<1xi32>
    }
    gpu.return
  }

  // No instruction adds 16 bits: a loop around atom.cas does, in order.
  // CHECK: narrow_add: passed
  // PTX-LABEL: .entry narrow_add(
  // PTX-DAG: atom.acq_rel.gpu.global.cas.b32
  gpu.func @narrow_add(%data: memref<1xi32>, %out: memref<1xi32>, %flag: memref<1xi16>) kernel
      attributes {sim.args = ["uninit", "uninit", "const:0"], sim.grid = [2], sim.block = [1]} {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %set = arith.constant 1 : i16
    %index = memref.extract_aligned_pointer_as_index %flag : memref<1xi16> -> index
    %address = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %address : i64 to !llvm.ptr<1>
    %produces = arith.cmpi eq, %b, %c0 : index
    scf.if %produces {
      memref.store %one, %data[%c0] : memref<1xi32>
      %o = llvm.atomicrmw add %p, %set syncscope("device") acq_rel : !llvm.ptr<1>, i16
    } else {
      scf.while : () -> () {
        %v = llvm.load %p atomic syncscope("device") acquire {alignment = 2 : i64} : !llvm.ptr<1> -> i16
        %waits = arith.cmpi ne, %v, %set : i16
        scf.condition(%waits)
      } do {
        scf.yield
      }
      %d = memref.load %data[%c0] : memref<1xi32>
      memref.store %d, %out[%c0] : memref<1xi32>
    }
    gpu.return
  }

  // One sets bits of them.
  // CHECK: narrow_or: failed
  // PTX-LABEL: .entry narrow_or(
  // PTX-DAG: atom.global.or.b32
  gpu.func @narrow_or(%data: memref<1xi32>, %out: memref<1xi32>, %flag: memref<1xi16>) kernel
      attributes {sim.args = ["uninit", "uninit", "const:0"], sim.grid = [2], sim.block = [1]} {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %set = arith.constant 1 : i16
    %index = memref.extract_aligned_pointer_as_index %flag : memref<1xi16> -> index
    %address = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %address : i64 to !llvm.ptr<1>
    %produces = arith.cmpi eq, %b, %c0 : index
    scf.if %produces {
      // expected-note @+1 {{the other: write, thread (0, 0, 0)}}
      memref.store %one, %data[%c0] : memref<1xi32>
      %o = llvm.atomicrmw _or %p, %set syncscope("device") acq_rel : !llvm.ptr<1>, i16
    } else {
      scf.while : () -> () {
        %v = llvm.load %p atomic syncscope("device") acquire {alignment = 2 : i64} : !llvm.ptr<1> -> i16
        %waits = arith.cmpi ne, %v, %set : i16
        scf.condition(%waits)
      } do {
        scf.yield
      }
      // expected-error @+1 {{data race: nothing orders two accesses to byte 0 of}}
      %d = memref.load %data[%c0] : memref<1xi32>
      memref.store %d, %out[%c0] : memref<1xi32>
    }
    gpu.return
  }

  // Nor does one take the maximum of floats.
  // CHECK: float_maximum: passed
  // PTX-LABEL: .entry float_maximum(
  // PTX-DAG: atom.acq_rel.gpu.global.cas.b32
  gpu.func @float_maximum(%data: memref<1xi32>, %out: memref<1xi32>, %flag: memref<1xf32>) kernel
      attributes {sim.args = ["uninit", "uninit", "const:0"], sim.grid = [2], sim.block = [1]} {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %set = arith.constant 1.0 : f32
    %index = memref.extract_aligned_pointer_as_index %flag : memref<1xf32> -> index
    %address = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %address : i64 to !llvm.ptr<1>
    %produces = arith.cmpi eq, %b, %c0 : index
    scf.if %produces {
      memref.store %one, %data[%c0] : memref<1xi32>
      %o = llvm.atomicrmw fmax %p, %set syncscope("device") acq_rel : !llvm.ptr<1>, f32
    } else {
      scf.while : () -> () {
        %v = llvm.load %p atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> f32
        %waits = arith.cmpf une, %v, %set : f32
        scf.condition(%waits)
      } do {
        scf.yield
      }
      %d = memref.load %data[%c0] : memref<1xi32>
      memref.store %d, %out[%c0] : memref<1xi32>
    }
    gpu.return
  }

  // One adds them.
  // CHECK: float_add: failed
  // PTX-LABEL: .entry float_add(
  // PTX-DAG: atom.global.add.f32
  gpu.func @float_add(%data: memref<1xi32>, %out: memref<1xi32>, %flag: memref<1xf32>) kernel
      attributes {sim.args = ["uninit", "uninit", "const:0"], sim.grid = [2], sim.block = [1]} {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %set = arith.constant 1.0 : f32
    %index = memref.extract_aligned_pointer_as_index %flag : memref<1xf32> -> index
    %address = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %address : i64 to !llvm.ptr<1>
    %produces = arith.cmpi eq, %b, %c0 : index
    scf.if %produces {
      // expected-note @+1 {{the other: write, thread (0, 0, 0)}}
      memref.store %one, %data[%c0] : memref<1xi32>
      %o = llvm.atomicrmw fadd %p, %set syncscope("device") acq_rel : !llvm.ptr<1>, f32
    } else {
      scf.while : () -> () {
        %v = llvm.load %p atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> f32
        %waits = arith.cmpf une, %v, %set : f32
        scf.condition(%waits)
      } do {
        scf.yield
      }
      // expected-error @+1 {{data race: nothing orders two accesses to byte 0 of}}
      %d = memref.load %data[%c0] : memref<1xi32>
      memref.store %d, %out[%c0] : memref<1xi32>
    }
    gpu.return
  }

  // atom.cas itself has an order.
  // CHECK: compare: passed
  // PTX-LABEL: .entry compare(
  // PTX-DAG: atom.release.gpu.global.cas.b32
  // PTX-DAG: ld.acquire.gpu
  gpu.func @compare(%data: memref<1xi32>, %out: memref<1xi32>, %flag: memref<1xi32>) kernel
      attributes {sim.args = ["uninit", "uninit", "const:0"], sim.grid = [2], sim.block = [1]} {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %set = arith.constant 1 : i32
    %index = memref.extract_aligned_pointer_as_index %flag : memref<1xi32> -> index
    %address = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %address : i64 to !llvm.ptr<1>
    %produces = arith.cmpi eq, %b, %c0 : index
    scf.if %produces {
      memref.store %one, %data[%c0] : memref<1xi32>
      %zero = arith.constant 0 : i32
      %o = llvm.cmpxchg %p, %zero, %set syncscope("device") release monotonic {alignment = 4 : i64} : !llvm.ptr<1>, i32
    } else {
      scf.while : () -> () {
        %v = llvm.load %p atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
        %waits = arith.cmpi ne, %v, %set : i32
        scf.condition(%waits)
      } do {
        scf.yield
      }
      %d = memref.load %data[%c0] : memref<1xi32>
      memref.store %d, %out[%c0] : memref<1xi32>
    }
    gpu.return
  }

  // If it asks for one.
  // CHECK: compare_relaxed: failed
  // PTX-LABEL: .entry compare_relaxed(
  // PTX-DAG: atom.relaxed.gpu.global.cas.b32
  gpu.func @compare_relaxed(%data: memref<1xi32>, %out: memref<1xi32>, %flag: memref<1xi32>) kernel
      attributes {sim.args = ["uninit", "uninit", "const:0"], sim.grid = [2], sim.block = [1]} {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %set = arith.constant 1 : i32
    %index = memref.extract_aligned_pointer_as_index %flag : memref<1xi32> -> index
    %address = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %address : i64 to !llvm.ptr<1>
    %produces = arith.cmpi eq, %b, %c0 : index
    scf.if %produces {
      // expected-note @+1 {{the other: write, thread (0, 0, 0)}}
      memref.store %one, %data[%c0] : memref<1xi32>
      %zero = arith.constant 0 : i32
      %o = llvm.cmpxchg %p, %zero, %set syncscope("device") monotonic monotonic {alignment = 4 : i64} : !llvm.ptr<1>, i32
    } else {
      scf.while : () -> () {
        %v = llvm.load %p atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
        %waits = arith.cmpi ne, %v, %set : i32
        scf.condition(%waits)
      } do {
        scf.yield
      }
      // expected-error @+1 {{data race: nothing orders two accesses to byte 0 of}}
      %d = memref.load %data[%c0] : memref<1xi32>
      memref.store %d, %out[%c0] : memref<1xi32>
    }
    gpu.return
  }

  // Loads and stores have theirs, behind a fence where they are sequentially
  // consistent.
  // CHECK: sequential: passed
  // PTX-LABEL: .entry sequential(
  // PTX-DAG: fence.sc.gpu
  // PTX-DAG: st.release.gpu
  // PTX-DAG: fence.sc.gpu
  // PTX-DAG: ld.acquire.gpu
  gpu.func @sequential(%data: memref<1xi32>, %out: memref<1xi32>, %flag: memref<1xi32>) kernel
      attributes {sim.args = ["uninit", "uninit", "const:0"], sim.grid = [2], sim.block = [1]} {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %set = arith.constant 1 : i32
    %index = memref.extract_aligned_pointer_as_index %flag : memref<1xi32> -> index
    %address = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %address : i64 to !llvm.ptr<1>
    %produces = arith.cmpi eq, %b, %c0 : index
    scf.if %produces {
      memref.store %one, %data[%c0] : memref<1xi32>
      llvm.store %set, %p atomic syncscope("device") seq_cst {alignment = 4 : i64} : i32, !llvm.ptr<1>
    } else {
      scf.while : () -> () {
        %v = llvm.load %p atomic syncscope("device") seq_cst {alignment = 4 : i64} : !llvm.ptr<1> -> i32
        %waits = arith.cmpi ne, %v, %set : i32
        scf.condition(%waits)
      } do {
        scf.yield
      }
      %d = memref.load %data[%c0] : memref<1xi32>
      memref.store %d, %out[%c0] : memref<1xi32>
    }
    gpu.return
  }
}

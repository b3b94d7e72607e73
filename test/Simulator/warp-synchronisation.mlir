// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file | FileCheck %s

// bar.warp.sync orders the lanes that its mask names, and no others.

!shared = memref<32xi32, #gpu.address_space<workgroup>>

gpu.module @producers {
  // Half of the warp reads what the other half wrote; only the writers meet.
  // CHECK: producers_only: failed
  gpu.func @producers_only(%out: memref<32xi32>) workgroup(%s: !shared) kernel
      attributes {sim.block = [32], sim.args = ["uninit"]} {
    %t = gpu.thread_id x
    %c16 = arith.constant 16 : index
    %writes = arith.cmpi ult, %t, %c16 : index
    scf.if %writes {
      %v = arith.index_cast %t : index to i32
      // expected-note @+1 {{the other: write, thread (0, 0, 0)}}
      memref.store %v, %s[%t] : !shared
      %low = arith.constant 0xffff : i32
      nvvm.bar.warp.sync %low : i32
    } else {
      %i = arith.subi %t, %c16 : index
      // expected-error @+1 {{data race: nothing orders two accesses to byte 0}}
      %v = memref.load %s[%i] : !shared
      memref.store %v, %out[%t] : memref<32xi32>
    }
    gpu.return
  }
  // The readers meet them, at another place but with the same mask.
  // CHECK: producers_and_readers: passed
  gpu.func @producers_and_readers(%out: memref<32xi32>) workgroup(%s: !shared) kernel
      attributes {sim.block = [32], sim.args = ["uninit"]} {
    %t = gpu.thread_id x
    %c16 = arith.constant 16 : index
    %all = arith.constant -1 : i32
    %writes = arith.cmpi ult, %t, %c16 : index
    scf.if %writes {
      %v = arith.index_cast %t : index to i32
      memref.store %v, %s[%t] : !shared
      nvvm.bar.warp.sync %all : i32
    } else {
      %i = arith.subi %t, %c16 : index
      nvvm.bar.warp.sync %all : i32
      %v = memref.load %s[%i] : !shared
      memref.store %v, %out[%t] : memref<32xi32>
    }
    gpu.return
  }
}

// -----

!shared = memref<32xi32, #gpu.address_space<workgroup>>

gpu.module @halves {
  // One instruction, two masks: each lane reads from the other half.
  // CHECK: across: failed
  gpu.func @across(%out: memref<32xi32>) workgroup(%s: !shared) kernel
      attributes {sim.block = [32], sim.args = ["uninit"]} {
    %t = gpu.thread_id x
    %c16 = arith.constant 16 : index
    %c31 = arith.constant 31 : index
    %low = arith.constant 0xffff : i32
    %high = arith.constant 0xffff0000 : i32
    %isLow = arith.cmpi ult, %t, %c16 : index
    %half = arith.select %isLow, %low, %high : i32
    %v = arith.index_cast %t : index to i32
    // expected-note @+1 {{the other: write, thread (31, 0, 0)}}
    memref.store %v, %s[%t] : !shared
    nvvm.bar.warp.sync %half : i32
    %i = arith.subi %c31, %t : index
    // expected-error @+1 {{data race: nothing orders two accesses to byte 124}}
    %r = memref.load %s[%i] : !shared
    memref.store %r, %out[%t] : memref<32xi32>
    gpu.return
  }
  // Each lane reads from its own half.
  // CHECK: within: passed
  // CHECK-NEXT: arg0: 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0 31 30 29
  gpu.func @within(%out: memref<32xi32>) workgroup(%s: !shared) kernel
      attributes {sim.block = [32], sim.args = ["uninit"], sim.print = [0]} {
    %t = gpu.thread_id x
    %c15 = arith.constant 15 : index
    %c16 = arith.constant 16 : index
    %low = arith.constant 0xffff : i32
    %high = arith.constant 0xffff0000 : i32
    %isLow = arith.cmpi ult, %t, %c16 : index
    %half = arith.select %isLow, %low, %high : i32
    %v = arith.index_cast %t : index to i32
    memref.store %v, %s[%t] : !shared
    nvvm.bar.warp.sync %half : i32
    %i = arith.xori %t, %c15 : index
    %r = memref.load %s[%i] : !shared
    memref.store %r, %out[%t] : memref<32xi32>
    gpu.return
  }
  // Lane 0 knows of lanes 1 to 15 through lane 1.
  // CHECK: chain: passed
  gpu.func @chain(%out: memref<1xi32>) workgroup(%s: !shared) kernel
      attributes {sim.block = [32], sim.args = ["uninit"]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c15 = arith.constant 15 : index
    %c16 = arith.constant 16 : index
    %first = arith.constant 0xfffe : i32
    %second = arith.constant 0x3 : i32
    %v = arith.index_cast %t : index to i32
    memref.store %v, %s[%t] : !shared
    %above0 = arith.cmpi ugt, %t, %c0 : index
    %below16 = arith.cmpi ult, %t, %c16 : index
    %meets = arith.andi %above0, %below16 : i1
    scf.if %meets {
      nvvm.bar.warp.sync %first : i32
    }
    %below2 = arith.cmpi ult, %t, %c2 : index
    scf.if %below2 {
      nvvm.bar.warp.sync %second : i32
      %is0 = arith.cmpi eq, %t, %c0 : index
      scf.if %is0 {
        %r = memref.load %s[%c15] : !shared
        memref.store %r, %out[%c0] : memref<1xi32>
      }
    }
    gpu.return
  }
}

// -----

gpu.module @mask {
  // CHECK: left_out: failed
  gpu.func @left_out() kernel attributes {sim.block = [32], sim.args = []} {
    %low = arith.constant 0xffff : i32
    // expected-error @+1 {{inactive lane: lane 16 takes part with the mask 0xffff, which leaves it out}}
    nvvm.bar.warp.sync %low : i32
    gpu.return
  }
  // CHECK: not_eligible: failed
  gpu.func @not_eligible() kernel attributes {sim.block = [32], sim.args = []} {
    %high = arith.constant 0xfffffffe : i32
    // expected-error @+1 {{inactive lane: lane 0 takes part with the mask 0xfffffffe, which leaves it out}}
    %elected = nvvm.elect.sync %high -> i1
    gpu.return
  }
  // Lanes that have exited are not waited for.
  // CHECK: exited: passed
  gpu.func @exited() kernel attributes {sim.block = [32], sim.args = []} {
    %t = gpu.thread_id x
    %c8 = arith.constant 8 : index
    %all = arith.constant -1 : i32
    %low = arith.cmpi ult, %t, %c8 : index
    cf.cond_br %low, ^meet, ^done
  ^meet:
    nvvm.bar.warp.sync %all : i32
    cf.br ^done
  ^done:
    gpu.return
  }
}

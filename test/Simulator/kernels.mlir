// RUN: fusion-sim-test %s --split-input-file | FileCheck %s

// Two blocks add vectors; the last threads have nothing to do.
// CHECK-LABEL: vector_add: passed
// CHECK-NEXT: arg2: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40{{$}}
gpu.module @m {
  gpu.func @vector_add(%a: memref<40xf32>, %b: memref<40xf32>,
                       %c: memref<40xf32>) kernel
      attributes {sim.grid = [2], sim.block = [32],
                  sim.args = ["iota", "const:1", "uninit"], sim.print = [2]} {
    %block = gpu.block_id x
    %dim = gpu.block_dim x
    %thread = gpu.thread_id x
    %c40 = arith.constant 40 : index
    %base = arith.muli %block, %dim : index
    %i = arith.addi %base, %thread : index
    %inside = arith.cmpi ult, %i, %c40 : index
    scf.if %inside {
      %x = memref.load %a[%i] : memref<40xf32>
      %y = memref.load %b[%i] : memref<40xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %c[%i] : memref<40xf32>
    }
    gpu.return
  }
}

// -----

// A tile goes through shared memory with its rows and columns exchanged.
// CHECK-LABEL: transpose: passed
// CHECK-NEXT: arg1: 0 8 16 24 1 9 17 25 2 10 18 26 3 11 19 27 4 12 20 28 5 13 21 29 6 14 22 30 7 15 23 31{{$}}
gpu.module @m {
  gpu.func @transpose(%in: memref<?x?xi32>, %out: memref<?x?xi32>)
      workgroup(%tile: memref<4x5xi32, #gpu.address_space<workgroup>>) kernel
      attributes {sim.grid = [2, 1, 1], sim.block = [4, 4, 1],
                  sim.args = ["iota[4,8]", "uninit[8,4]"], sim.print = [1]} {
    %c4 = arith.constant 4 : index
    %block = gpu.block_id x
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %base = arith.muli %block, %c4 : index
    %column = arith.addi %base, %x : index
    %v = memref.load %in[%y, %column] : memref<?x?xi32>
    memref.store %v, %tile[%y, %x] : memref<4x5xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %row = arith.addi %base, %y : index
    %w = memref.load %tile[%x, %y] : memref<4x5xi32, #gpu.address_space<workgroup>>
    memref.store %w, %out[%row, %x] : memref<?x?xi32>
    gpu.return
  }
}

// -----

// Softmax of a row by 64 threads: shuffles within a warp, then shared memory.
// All inputs are equal, so each result is exactly 1/64.
// CHECK-LABEL: softmax: passed
// CHECK-NEXT: arg1: 0.015625 0.015625 {{.*}} 0.015625{{$}}
gpu.module @m {
  memref.global "private" @partial : memref<2xf32, #gpu.address_space<workgroup>>
  gpu.func @softmax(%in: memref<3x64xf32>, %out: memref<3x64xf32>) kernel
      attributes {sim.grid = [3], sim.block = [64],
                  sim.args = ["const:5", "uninit"], sim.print = [1]} {
    %row = gpu.block_id x
    %t = gpu.thread_id x
    %lane = gpu.lane_id
    %warp = gpu.subgroup_id : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %w = arith.constant 32 : i32
    %c1_i32 = arith.constant 1 : i32
    %c32_i32 = arith.constant 32 : i32
    %partial = memref.get_global @partial : memref<2xf32, #gpu.address_space<workgroup>>
    %x = memref.load %in[%row, %t] : memref<3x64xf32>
    %m:2 = scf.while (%d = %c1_i32, %v = %x) : (i32, f32) -> (i32, f32) {
      %more = arith.cmpi slt, %d, %c32_i32 : i32
      scf.condition(%more) %d, %v : i32, f32
    } do {
    ^bb0(%d: i32, %v: f32):
      %o, %p = gpu.shuffle xor %v, %d, %w : f32
      %max = arith.maximumf %v, %o : f32
      %next = arith.shli %d, %c1_i32 : i32
      scf.yield %next, %max : i32, f32
    }
    %first = arith.cmpi eq, %lane, %c0 : index
    scf.if %first {
      memref.store %m#1, %partial[%warp] : memref<2xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %p0 = memref.load %partial[%c0] : memref<2xf32, #gpu.address_space<workgroup>>
    %p1 = memref.load %partial[%c1] : memref<2xf32, #gpu.address_space<workgroup>>
    %max = arith.maximumf %p0, %p1 : f32
    %shifted = arith.subf %x, %max : f32
    %e = math.exp %shifted : f32
    %s = gpu.subgroup_reduce add %e : (f32) -> f32
    gpu.barrier
    scf.if %first {
      memref.store %s, %partial[%warp] : memref<2xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %s0 = memref.load %partial[%c0] : memref<2xf32, #gpu.address_space<workgroup>>
    %s1 = memref.load %partial[%c1] : memref<2xf32, #gpu.address_space<workgroup>>
    %sum = arith.addf %s0, %s1 : f32
    %y = arith.divf %e, %sum : f32
    memref.store %y, %out[%row, %t] : memref<3x64xf32>
    gpu.return
  }
}

// -----

// Each thread sums a ragged part of the row; a tree in dynamic shared memory.
// 0 + 1 + ... + 99 = 4950.
// CHECK-LABEL: block_sum: passed
// CHECK-NEXT: arg1: 4950{{$}}
gpu.module @m {
  gpu.func @block_sum(%in: memref<100xf32>, %out: memref<1xf32>) kernel
      attributes {sim.block = [32], sim.shared = 128,
                  sim.args = ["iota", "uninit"], sim.print = [1]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c100 = arith.constant 100 : index
    %zero = arith.constant 0.0 : f32
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %shared = memref.view %bytes[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<32xf32, #gpu.address_space<workgroup>>
    %mine = scf.for %i = %t to %c100 step %c32 iter_args(%acc = %zero) -> f32 {
      %x = memref.load %in[%i] : memref<100xf32>
      %sum = arith.addf %acc, %x : f32
      scf.yield %sum : f32
    }
    memref.store %mine, %shared[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %end = scf.while (%d = %c16) : (index) -> index {
      %more = arith.cmpi ugt, %d, %c0 : index
      scf.condition(%more) %d : index
    } do {
    ^bb0(%d: index):
      %active = arith.cmpi ult, %t, %d : index
      scf.if %active {
        %j = arith.addi %t, %d : index
        %a = memref.load %shared[%t] : memref<32xf32, #gpu.address_space<workgroup>>
        %b = memref.load %shared[%j] : memref<32xf32, #gpu.address_space<workgroup>>
        %s = arith.addf %a, %b : f32
        memref.store %s, %shared[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %half = arith.divui %d, %c2 : index
      scf.yield %half : index
    }
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      %sum = memref.load %shared[%c0] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %sum, %out[%c0] : memref<1xf32>
    }
    gpu.return
  }
}

// -----

// Rows of bf16 come in 16-byte asynchronous copies, two stages deep.
// CHECK-LABEL: ring: passed
// CHECK-NEXT: arg1: 0 9 18 27 36 45 54 63
gpu.module @m {
  gpu.func @ring(%in: memref<4x256xbf16>, %out: memref<256xbf16>)
      workgroup(%stages: memref<2x256xbf16, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
      kernel attributes {sim.block = [32], sim.args = ["iota:256", "uninit"], sim.print = [1]} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %column = arith.muli %t, %c8 : index
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %first = nvgpu.device_async_copy %in[%c0, %column], %stages[%c0, %column], 8 {bypassL1} : memref<4x256xbf16> to memref<2x256xbf16, #gpu.address_space<workgroup>>
    %g0 = nvgpu.device_async_create_group %first
    %sum = scf.for %row = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> vector<8xf32> {
      %next = arith.addi %row, %c1 : index
      %more = arith.cmpi ult, %next, %c4 : index
      scf.if %more {
        %stage = arith.remui %next, %c2 : index
        %copy = nvgpu.device_async_copy %in[%next, %column], %stages[%stage, %column], 8 {bypassL1} : memref<4x256xbf16> to memref<2x256xbf16, #gpu.address_space<workgroup>>
      }
      %g = nvgpu.device_async_create_group
      nvgpu.device_async_wait %g {numGroups = 1 : i32}
      %stage = arith.remui %row, %c2 : index
      %x = vector.load %stages[%stage, %column] {alignment = 16 : i64} : memref<2x256xbf16, #gpu.address_space<workgroup>>, vector<8xbf16>
      %wide = arith.extf %x : vector<8xbf16> to vector<8xf32>
      %rows = arith.constant 2.25 : f32
      %scale = vector.broadcast %rows : f32 to vector<8xf32>
      %scaled = arith.mulf %wide, %scale : vector<8xf32>
      %added = arith.addf %acc, %scaled : vector<8xf32>
      scf.yield %added : vector<8xf32>
    }
    %narrow = arith.truncf %sum : vector<8xf32> to vector<8xbf16>
    vector.store %narrow, %out[%column] {alignment = 16 : i64} : memref<256xbf16>, vector<8xbf16>
    gpu.return
  }
}

// -----

// A histogram with atomics over several blocks.
// CHECK-LABEL: histogram: passed
// CHECK-NEXT: arg1: 16 16 16 16{{$}}
gpu.module @m {
  gpu.func @histogram(%in: memref<64xi32>, %bins: memref<4xi32>) kernel
      attributes {sim.grid = [2], sim.block = [32],
                  sim.args = ["iota:4", "const:0"], sim.print = [1]} {
    %block = gpu.block_id x
    %dim = gpu.block_dim x
    %thread = gpu.thread_id x
    %base = arith.muli %block, %dim : index
    %i = arith.addi %base, %thread : index
    %one = arith.constant 1 : i32
    %v = memref.load %in[%i] : memref<64xi32>
    %bin = arith.index_cast %v : i32 to index
    %old = memref.atomic_rmw addi %one, %bins[%bin] : (i32, memref<4xi32>) -> i32
    gpu.return
  }
}

// -----

// A masked-off or padded element is not accessed: the row has 6 elements.
// CHECK-LABEL: ragged_transfer: passed
// CHECK-NEXT: arg1: 0 1 2 3 4 5 -1 -1{{$}}
// CHECK-NEXT: arg2: 100 1 2 3 4 5{{$}}
gpu.module @m {
  gpu.func @ragged_transfer(%in: memref<6xf32>, %out: memref<8xf32>, %masked: memref<6xf32>) kernel
      attributes {sim.block = [2], sim.args = ["iota", "uninit", "const:100"], sim.print = [1, 2]} {
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %pad = arith.constant -1.0 : f32
    %i = arith.muli %t, %c4 : index
    %v = vector.transfer_read %in[%i], %pad : memref<6xf32>, vector<4xf32>
    vector.store %v, %out[%i] : memref<8xf32>, vector<4xf32>
    %left = arith.subi %c6, %i : index
    %inside = vector.create_mask %left : vector<4xi1>
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %positive = arith.cmpf ogt, %v, %zero : vector<4xf32>
    %mask = arith.andi %inside, %positive : vector<4xi1>
    vector.maskedstore %masked[%i], %mask, %v : memref<6xf32>, vector<4xi1>, vector<4xf32>
    gpu.return
  }
}

// -----

// Views of a buffer: a byte view, a column of it, two rows as one.
// CHECK-LABEL: views: passed
// CHECK-NEXT: arg1: 1 5 9 13 4 5 6 7 8 9 10 11{{$}}
gpu.module @m {
  gpu.func @views(%in: memref<4x4xi32>, %out: memref<12xi32>) kernel
      attributes {sim.block = [4], sim.args = ["iota", "uninit"], sim.print = [1]} {
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %column = memref.subview %in[0, 1] [4, 1] [1, 1] : memref<4x4xi32> to memref<4xi32, strided<[4], offset: 1>>
    %v = memref.load %column[%t] : memref<4xi32, strided<[4], offset: 1>>
    memref.store %v, %out[%t] : memref<12xi32>
    %rows = memref.subview %in[1, 0] [2, 4] [1, 1] : memref<4x4xi32> to memref<2x4xi32, strided<[4, 1], offset: 4>>
    %flat = memref.collapse_shape %rows [[0, 1]] : memref<2x4xi32, strided<[4, 1], offset: 4>> into memref<8xi32, strided<[1], offset: 4>>
    %low = memref.load %flat[%t] : memref<8xi32, strided<[1], offset: 4>>
    %t4 = arith.addi %t, %c4 : index
    %t8 = arith.addi %t4, %c4 : index
    %high = memref.load %flat[%t4] : memref<8xi32, strided<[1], offset: 4>>
    memref.store %low, %out[%t4] : memref<12xi32>
    memref.store %high, %out[%t8] : memref<12xi32>
    gpu.return
  }
}

// -----

// Elements of vectors change places.
// CHECK-LABEL: moves: passed
// CHECK-NEXT: arg1: 0 4 1 5 2 6 3 7 7 7 2 3{{$}}
gpu.module @m {
  gpu.func @moves(%in: memref<8xi32>, %out: memref<12xi32>) kernel
      attributes {sim.block = [1], sim.args = ["iota", "uninit"], sim.print = [1]} {
    %c0 = arith.constant 0 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %v = vector.load %in[%c0] : memref<8xi32>, vector<8xi32>
    %rows = vector.shape_cast %v : vector<8xi32> to vector<2x4xi32>
    %columns = vector.transpose %rows, [1, 0] : vector<2x4xi32> to vector<4x2xi32>
    %flat = vector.shape_cast %columns : vector<4x2xi32> to vector<8xi32>
    vector.store %flat, %out[%c0] : memref<12xi32>, vector<8xi32>
    %last = vector.extract %v[%c7] : i32 from vector<8xi32>
    %twice = vector.broadcast %last : i32 to vector<2xi32>
    %slice = vector.extract_strided_slice %v {offsets = [0], sizes = [4], strides = [1]} : vector<8xi32> to vector<4xi32>
    %joined = vector.insert_strided_slice %twice, %slice {offsets = [0], strides = [1]} : vector<2xi32> into vector<4xi32>
    vector.store %joined, %out[%c8] : memref<12xi32>, vector<4xi32>
    gpu.return
  }
}

// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file | FileCheck %s

// Each kernel has one fault and is followed by its repaired twin.

gpu.module @uninitialised {
  // CHECK: read_unwritten: failed
  gpu.func @read_unwritten(%a: memref<32xf32>, %b: memref<32xf32>) kernel
      attributes {sim.block = [32], sim.args = ["uninit", "uninit"]} {
    %t = gpu.thread_id x
    // expected-error @+1 {{uninitialised read: nothing has written byte 0 of allocation 0: read of 4 bytes, thread (0, 0, 0) of block (0, 0, 0) (and 31 more like it)}}
    %v = memref.load %a[%t] : memref<32xf32>
    memref.store %v, %b[%t] : memref<32xf32>
    gpu.return
  }
  // CHECK: read_written: passed
  gpu.func @read_written(%a: memref<32xf32>, %b: memref<32xf32>) kernel
      attributes {sim.block = [32], sim.args = ["uninit", "uninit"]} {
    %t = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    memref.store %one, %a[%t] : memref<32xf32>
    %v = memref.load %a[%t] : memref<32xf32>
    memref.store %v, %b[%t] : memref<32xf32>
    gpu.return
  }
}

// -----

gpu.module @uninitialised_shared {
  // Half of a vector in shared memory is never written.
  // CHECK: read_half: failed
  gpu.func @read_half(%b: memref<2xf32>)
      workgroup(%s: memref<2xf32, #gpu.address_space<workgroup>> {llvm.align = 8 : i64})
      kernel attributes {sim.block = [1], sim.args = ["uninit"]} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    memref.store %one, %s[%c0] : memref<2xf32, #gpu.address_space<workgroup>>
    // expected-error @+1 {{uninitialised read: nothing has written byte 4 of shared buffer 0: read of 8 bytes}}
    %v = vector.load %s[%c0] : memref<2xf32, #gpu.address_space<workgroup>>, vector<2xf32>
    vector.store %v, %b[%c0] : memref<2xf32>, vector<2xf32>
    gpu.return
  }
  // CHECK: read_whole: passed
  gpu.func @read_whole(%b: memref<2xf32>)
      workgroup(%s: memref<2xf32, #gpu.address_space<workgroup>> {llvm.align = 8 : i64})
      kernel attributes {sim.block = [1], sim.args = ["uninit"]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1.0 : f32
    memref.store %one, %s[%c0] : memref<2xf32, #gpu.address_space<workgroup>>
    memref.store %one, %s[%c1] : memref<2xf32, #gpu.address_space<workgroup>>
    %v = vector.load %s[%c0] : memref<2xf32, #gpu.address_space<workgroup>>, vector<2xf32>
    vector.store %v, %b[%c0] : memref<2xf32>, vector<2xf32>
    gpu.return
  }
}

// -----

gpu.module @bounds {
  // CHECK: no_guard: failed
  gpu.func @no_guard(%a: memref<40xf32>, %b: memref<40xf32>) kernel
      attributes {sim.grid = [2], sim.block = [32], sim.args = ["iota", "uninit"]} {
    %block = gpu.block_id x
    %dim = gpu.block_dim x
    %thread = gpu.thread_id x
    %base = arith.muli %block, %dim : index
    %i = arith.addi %base, %thread : index
    // expected-error @+1 {{out of bounds: byte 160 of allocation 0, which has 160 bytes: read of 4 bytes, thread (8, 0, 0) of block (1, 0, 0)}}
    %v = memref.load %a[%i] : memref<40xf32>
    // expected-error @+1 {{out of bounds: byte 160 of allocation 1, which has 160 bytes: write of 4 bytes, thread (8, 0, 0) of block (1, 0, 0)}}
    memref.store %v, %b[%i] : memref<40xf32>
    gpu.return
  }
  // CHECK: guard: passed
  gpu.func @guard(%a: memref<40xf32>, %b: memref<40xf32>) kernel
      attributes {sim.grid = [2], sim.block = [32], sim.args = ["iota", "uninit"]} {
    %block = gpu.block_id x
    %dim = gpu.block_dim x
    %thread = gpu.thread_id x
    %base = arith.muli %block, %dim : index
    %i = arith.addi %base, %thread : index
    %c40 = arith.constant 40 : index
    %inside = arith.cmpi ult, %i, %c40 : index
    scf.if %inside {
      %v = memref.load %a[%i] : memref<40xf32>
      memref.store %v, %b[%i] : memref<40xf32>
    }
    gpu.return
  }
}

// -----

gpu.module @bounds_shared {
  // The second buffer is no continuation of the first.
  // CHECK: past_buffer: failed
  gpu.func @past_buffer()
      workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>,
                %u: memref<32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {sim.block = [33], sim.args = []} {
    %t = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{out of bounds: byte 128 of shared buffer 0, which has 128 bytes: write of 4 bytes, thread (32, 0, 0)}}
    memref.store %one, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
  // CHECK: inside_buffer: passed
  gpu.func @inside_buffer()
      workgroup(%s: memref<33xf32, #gpu.address_space<workgroup>>)
      kernel attributes {sim.block = [33], sim.args = []} {
    %t = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    memref.store %one, %s[%t] : memref<33xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

gpu.module @alignment {
  // CHECK: misaligned: failed
  gpu.func @misaligned(%a: memref<36xf32>, %b: memref<32xf32>) kernel
      attributes {sim.block = [8], sim.args = ["iota", "uninit"]} {
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %i = arith.muli %t, %c4 : index
    %j = arith.addi %i, %c1 : index
    // expected-error @+1 {{misaligned access: byte 4 of allocation 0 is at an address that is no multiple of 16: read of 16 bytes, thread (0, 0, 0)}}
    %v = vector.load %a[%j] {alignment = 16 : i64} : memref<36xf32>, vector<4xf32>
    vector.store %v, %b[%i] {alignment = 16 : i64} : memref<32xf32>, vector<4xf32>
    gpu.return
  }
  // CHECK: aligned: passed
  gpu.func @aligned(%a: memref<36xf32>, %b: memref<32xf32>) kernel
      attributes {sim.block = [8], sim.args = ["iota", "uninit"]} {
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %i = arith.muli %t, %c4 : index
    %v = vector.load %a[%i] {alignment = 16 : i64} : memref<36xf32>, vector<4xf32>
    vector.store %v, %b[%i] {alignment = 16 : i64} : memref<32xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

gpu.module @alignment_shared {
  // A shared buffer of f32 is aligned to 4 bytes unless it says more.
  // CHECK: no_promise: failed
  gpu.func @no_promise()
      workgroup(%s: memref<4xf32, #gpu.address_space<workgroup>>)
      kernel attributes {sim.block = [1], sim.args = []} {
    %c0 = arith.constant 0 : index
    %v = arith.constant dense<1.0> : vector<4xf32>
    // expected-error @+1 {{misaligned access: byte 0 of shared buffer 0}}
    vector.store %v, %s[%c0] {alignment = 16 : i64} : memref<4xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    gpu.return
  }
  // CHECK: promise: passed
  gpu.func @promise()
      workgroup(%s: memref<4xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
      kernel attributes {sim.block = [1], sim.args = []} {
    %c0 = arith.constant 0 : index
    %v = arith.constant dense<1.0> : vector<4xf32>
    vector.store %v, %s[%c0] {alignment = 16 : i64} : memref<4xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    gpu.return
  }
}

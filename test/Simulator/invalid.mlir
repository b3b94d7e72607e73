// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file

// What cannot be executed is refused by name before anything runs.

gpu.module @m {
  gpu.func @unknown_operation() kernel attributes {sim.block = [1], sim.args = []} {
    // expected-error @+1 {{the simulator does not execute 'memref.alloc'}}
    %a = memref.alloc() : memref<4xf32>
    gpu.return
  }
  gpu.func @unknown_type() kernel attributes {sim.block = [1], sim.args = []} {
    // expected-error @+1 {{the simulator does not execute values of type 'i7'}}
    %a = arith.constant 1 : i7
    gpu.return
  }
  // expected-error @+1 {{the simulator does not execute arguments of type 'tensor<4xf32>'}}
  gpu.func @unknown_argument(%a: tensor<4xf32>) kernel attributes {sim.block = [1], sim.args = ["0"]} {
    gpu.return
  }
  gpu.func @two_dimensions(%a: memref<4x4xf32>) kernel attributes {sim.block = [1], sim.args = ["iota"]} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    // expected-error @+1 {{the simulator does not execute 'vector.transfer_read' of this form}}
    %v = vector.transfer_read %a[%c0, %c0], %zero : memref<4x4xf32>, vector<2x2xf32>
    gpu.return
  }
}

// -----

!huge = memref<1099511627776xf32, #gpu.address_space<workgroup>>
gpu.module @m {
  // expected-error @+1 {{expected at most 268435456 bytes of shared memory, but got 4398046511104}}
  gpu.func @huge_buffer() workgroup(%s: !huge) kernel
      attributes {sim.block = [1], sim.args = []} {
    gpu.return
  }
  // expected-error @+1 {{expected at most 268435456 bytes of dynamic shared memory, but got 1099511627776}}
  gpu.func @huge_dynamic() kernel
      attributes {sim.block = [1], sim.args = [], sim.shared = 1099511627776 : i64} {
    gpu.return
  }
  // expected-error @+1 {{expected values of at most 67108864 bytes in a warp, but got}}
  gpu.func @huge_values(%a: memref<65536xf64>, %b: memref<1xf64>) kernel
      attributes {sim.block = [1], sim.args = ["uninit", "uninit"]} {
    %c0 = arith.constant 0 : index
    %v = vector.load %a[%c0] : memref<65536xf64>, vector<65536xf64>
    %w = arith.addf %v, %v : vector<65536xf64>
    %x = arith.mulf %v, %w : vector<65536xf64>
    %y = arith.subf %x, %w : vector<65536xf64>
    %z = arith.mulf %y, %v : vector<65536xf64>
    %r = vector.reduction <add>, %z : vector<65536xf64> into f64
    memref.store %r, %b[%c0] : memref<1xf64>
    gpu.return
  }
}

// -----

// Addresses that make no sense are findings, not crashes.
gpu.module @m {
  gpu.func @wild(%a: memref<4xf32>, %p: !llvm.ptr) kernel
      attributes {sim.block = [1], sim.args = ["iota", "0"]} {
    %far = arith.constant 1099511627776 : index
    %minus = arith.constant -1 : index
    // expected-error @+1 {{out of bounds: byte 4398046511104 of allocation 0, which has 16 bytes}}
    %u = memref.load %a[%far] : memref<4xf32>
    // expected-error @+1 {{out of bounds: address}}
    %v = memref.load %a[%minus] : memref<4xf32>
    // expected-error @+1 {{out of bounds: address 0x0 belongs to no allocation}}
    %w = llvm.load %p : !llvm.ptr -> f32
    gpu.return
  }
}

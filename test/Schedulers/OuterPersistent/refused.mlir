// What the outer-persistent scheduler does not take, and why.
// RUN: fusion-opt %s --fusion-segment="schedulers=outer-persistent refuse-unscheduled" -split-input-file -verify-diagnostics

// Rows beyond what the registers of a block hold.
func.func @too_many_rows(%x: tensor<1000000x64xf32>) -> tensor<1000000x64xf32> {
  // expected-error@+2 {{'fusion.reduce' op is accepted by no scheduler}}
  // expected-note-re@+1 {{outer-persistent: on-chip-capacity: expected all rows of some columns to fit in the registers of a block's threads (needed {{[0-9]+}}, available {{[0-9]+}})}}
  %r = fusion.reduce add %x dims = [0] : tensor<1000000x64xf32> -> tensor<64xf32>
  %b = fusion.broadcast %r dims = [1] : tensor<64xf32> -> tensor<1000000x64xf32>
  %y = arith.subf %x, %b : tensor<1000000x64xf32>
  return %y : tensor<1000000x64xf32>
}

// -----

func.func @rows(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{outer-persistent: unsupported-shape: expected reductions that keep the innermost loop of their inputs}}
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @everything(%x: tensor<4x8xf32>) -> tensor<f32> {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{outer-persistent: unsupported-shape: expected a loop that is not reduced}}
  %r = fusion.reduce add %x dims = [0, 1] : tensor<4x8xf32> -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// Registers hold a number of rows that is known.
func.func @dynamic_rows(%x: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{outer-persistent: dynamic-extent: expected rows whose number is known when the program is compiled: all of them have to fit in registers}}
  %m = fusion.reduce maximumf %x dims = [0] : tensor<?x16xf32> -> tensor<16xf32>
  %b = fusion.broadcast %m [%n] dims = [1] : tensor<16xf32> -> tensor<?x16xf32>
  %y = arith.subf %x, %b : tensor<?x16xf32>
  return %y : tensor<?x16xf32>
}

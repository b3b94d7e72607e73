// What the full-reduction scheduler does not take, and why. What it shares with
// other reductions of one space is tested with those.
// RUN: fusion-opt %s --fusion-segment="schedulers=full-reduction refuse-unscheduled" -split-input-file -verify-diagnostics

func.func @columns(%x: tensor<4x8xf32>) -> tensor<8xf32> {
  // expected-error@+2 {{'fusion.reduce' op is accepted by no scheduler}}
  // expected-note@+1 {{full-reduction: unsupported-shape: expected reductions of the innermost loop of their inputs}}
  %r = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @nothing(%x: tensor<0xf32>) -> tensor<f32> {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{full-reduction: empty-extent: expected no result with elements where a loop has no iteration}}
  %r = fusion.reduce add %x dims = [0] : tensor<0xf32> -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = fusion.reduce maximumf %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %b = fusion.broadcast %r dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{full-reduction: on-chip-capacity: expected no element of the reduced loops to need a total}}
  %d = arith.subf %x, %b : tensor<4x8xf32>
  return %d : tensor<4x8xf32>
}

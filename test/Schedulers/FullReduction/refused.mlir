// What the full-reduction scheduler does not take, and why. What it shares with
// other reductions of one space is tested with those.
// RUN: fusion-opt %s --fusion-segment="schedulers=full-reduction refuse-unscheduled" --fusion-schedule -split-input-file -verify-diagnostics

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

// As one segment; its parts are accepted.
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %0 = fusion.segment "full-reduction" (%a = %x : tensor<4x8xf32>) -> (tensor<4x8xf32>) {
    %r = fusion.reduce maximumf %a dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    %b = fusion.broadcast %r dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
    // expected-note@+1 {{full-reduction: on-chip-capacity: expected no element of the reduced loops to need a total}}
    %d = arith.subf %a, %b : tensor<4x8xf32>
    fusion.yield %d : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}

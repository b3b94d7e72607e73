// What the outer-reduction scheduler does not take, and why.
// RUN: fusion-opt %s --fusion-segment="schedulers=outer-reduction refuse-unscheduled" --fusion-schedule -split-input-file -verify-diagnostics

func.func @rows(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-error@+2 {{'fusion.reduce' op is accepted by no scheduler}}
  // expected-note@+1 {{outer-reduction: unsupported-shape: expected reductions that keep the innermost loop of their inputs}}
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @everything(%x: tensor<4x8xf32>) -> tensor<f32> {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{outer-reduction: unsupported-shape: expected a loop that is not reduced}}
  %r = fusion.reduce add %x dims = [0, 1] : tensor<4x8xf32> -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// As one segment; its parts are accepted.
func.func @two_sets(%x: tensor<4x6x8xf32>) -> (tensor<6x8xf32>, tensor<4x8xf32>) {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %0:2 = fusion.segment "outer-reduction" (%a = %x : tensor<4x6x8xf32>) -> (tensor<6x8xf32>, tensor<4x8xf32>) {
    %r = fusion.reduce add %a dims = [0] : tensor<4x6x8xf32> -> tensor<6x8xf32>
    // expected-note@+1 {{outer-reduction: unsupported-shape: expected all reductions to run over the same loops}}
    %s = fusion.reduce add %a dims = [1] : tensor<4x6x8xf32> -> tensor<4x8xf32>
    fusion.yield %r, %s : tensor<6x8xf32>, tensor<4x8xf32>
  }
  return %0#0, %0#1 : tensor<6x8xf32>, tensor<4x8xf32>
}

// -----

func.func @chain(%x: tensor<4x8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %0 = fusion.segment "outer-reduction" (%a = %x : tensor<4x8xf32>) -> (tensor<8xf32>) {
    %r = fusion.reduce add %a dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
    %b = fusion.broadcast %r dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
    %d = arith.subf %a, %b : tensor<4x8xf32>
    // expected-note@+1 {{outer-reduction: unsupported-shape: expected a reduction that does not depend on another}}
    %s = fusion.reduce add %d dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
    fusion.yield %s : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @applied(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %0 = fusion.segment "outer-reduction" (%a = %x : tensor<4x8xf32>) -> (tensor<4x8xf32>) {
    %r = fusion.reduce add %a dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
    %b = fusion.broadcast %r dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
    // expected-note@+1 {{outer-reduction: on-chip-capacity: expected no element of the reduced loops to need a total: it would have to be read again}}
    %d = arith.subf %a, %b : tensor<4x8xf32>
    fusion.yield %d : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}

// -----

func.func @no_rows(%x: tensor<0x8xf32>) -> tensor<8xf32> {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{outer-reduction: empty-extent: expected no result with elements where a loop has no iteration}}
  %r = fusion.reduce add %x dims = [0] : tensor<0x8xf32> -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @no_reduction(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{outer-reduction: missing-reduction: expected a reduction}}
  %y = arith.addf %x, %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

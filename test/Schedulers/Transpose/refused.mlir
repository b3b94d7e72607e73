// What the transpose scheduler does not take, and why.
// RUN: fusion-opt %s --fusion-segment="schedulers=transpose refuse-unscheduled" --fusion-schedule -split-input-file -verify-diagnostics

func.func @reduction(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-error@+2 {{'fusion.reduce' op is accepted by no scheduler}}
  // expected-note@+1 {{transpose: unsupported-operation: expected no reduction}}
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @element_wise(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{transpose: unsupported-shape: expected an operation that reorders dimensions}}
  %y = arith.addf %x, %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

func.func @same_innermost(%x: tensor<4x6x8xf32>) -> tensor<6x4x8xf32> {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{transpose: unsupported-shape: expected an input that is contiguous along another loop than the results}}
  %y = fusion.transpose %x permutation = [1, 0, 2] : tensor<4x6x8xf32> -> tensor<6x4x8xf32>
  return %y : tensor<6x4x8xf32>
}

// -----

// As one segment; the transpose is accepted on its own.
func.func @both_ways(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>) {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %0:2 = fusion.segment "transpose" (%a = %x : tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>) {
    %n = arith.negf %a : tensor<4x8xf32>
    // expected-note@+1 {{transpose: unsupported-shape: expected all results to have the same innermost loop}}
    %y = fusion.transpose %n permutation = [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
    fusion.yield %n, %y : tensor<4x8xf32>, tensor<8x4xf32>
  }
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<8x4xf32>
}

// -----

// Where rows lie in the result depends on how many there are.
func.func @dynamic(%x: tensor<?x8xf32>) -> tensor<8x?xf32> {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{transpose: dynamic-extent: expected only the outermost dimension of a tensor to have an extent that is not known at compile time}}
  %y = fusion.transpose %x permutation = [1, 0] : tensor<?x8xf32> -> tensor<8x?xf32>
  return %y : tensor<8x?xf32>
}

// What the pointwise scheduler does not take, and why.
// RUN: fusion-opt %s --fusion-segment="schedulers=pointwise refuse-unscheduled" --fusion-schedule -split-input-file -verify-diagnostics

func.func @reduction(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-error@+2 {{'fusion.reduce' op is accepted by no scheduler}}
  // expected-note@+1 {{pointwise: unsupported-operation: expected no reduction}}
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Two results with a loop each: no kernel should walk over both loops.
// As one segment; its parts are accepted.
func.func @no_whole_result(%x: tensor<4xf32>, %y: tensor<8xf32>, %s: tensor<f32>) -> (tensor<4xf32>, tensor<8xf32>) {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %0:2 = fusion.segment "pointwise" (%p = %x : tensor<4xf32>, %q = %y : tensor<8xf32>, %t = %s : tensor<f32>) -> (tensor<4xf32>, tensor<8xf32>) {
    // expected-note@+1 {{pointwise: unsupported-shape: expected one result that varies over all loops of the others and of the inputs}}
    %a = fusion.broadcast %t dims = [] : tensor<f32> -> tensor<4xf32>
    %b = fusion.broadcast %t dims = [] : tensor<f32> -> tensor<8xf32>
    %c = arith.addf %a, %p : tensor<4xf32>
    %d = arith.addf %b, %q : tensor<8xf32>
    fusion.yield %c, %d : tensor<4xf32>, tensor<8xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<8xf32>
}

// -----

func.func @element_type(%x: tensor<4xi7>) -> tensor<4xi7> {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{pointwise: unsupported-element-type: expected f8E4M3FN, f8E5M2, f16, bf16, f32, f64 or integers of 1, 8, 16, 32 or 64 bits, but got i7}}
  %y = arith.addi %x, %x : tensor<4xi7>
  return %y : tensor<4xi7>
}

// -----

// Strides depend on an inner extent.
func.func @dynamic(%x: tensor<8x?xf32>) -> tensor<8x?xf32> {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{pointwise: dynamic-extent: expected only the outermost dimension of a tensor to have an extent that is not known at compile time}}
  %y = arith.addf %x, %x : tensor<8x?xf32>
  return %y : tensor<8x?xf32>
}

// -----

func.func @given(%n: index, %x: tensor<8xf32>) -> tensor<?x8xf32> {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{pointwise: dynamic-extent: expected the extent that is not known at compile time to be that of a dimension of an input, and the only one}}
  %y = fusion.broadcast %x [%n] dims = [1] : tensor<8xf32> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

// The row's result would be missing: the kernel has no point.
func.func @empty_beside(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x0xf32>) {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %0:2 = fusion.segment "pointwise" (%a = %x : tensor<4xf32>) -> (tensor<4xf32>, tensor<4x0xf32>) {
    // expected-note@+1 {{pointwise: empty-extent: expected no result with elements where a loop has no iteration}}
    %y = arith.addf %a, %a : tensor<4xf32>
    %z = fusion.broadcast %y dims = [0] : tensor<4xf32> -> tensor<4x0xf32>
    fusion.yield %y, %z : tensor<4xf32>, tensor<4x0xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4x0xf32>
}

// -----

// A divisor may be zero.
func.func @division(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{pointwise: unsupported-operation: expected operations that are defined for all operands}}
  %z = arith.divsi %x, %y : tensor<4xi32>
  return %z : tensor<4xi32>
}

// -----

func.func @too_large(%x: tensor<f32>) -> tensor<1099511627776xf32> {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{pointwise: unsupported-shape: expected fewer points than the threads of a grid (needed 1099511627776, available 549755813632)}}
  %y = fusion.broadcast %x dims = [] : tensor<f32> -> tensor<1099511627776xf32>
  return %y : tensor<1099511627776xf32>
}

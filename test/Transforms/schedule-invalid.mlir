// Segments that cannot be scheduled.
// RUN: fusion-opt %s --fusion-schedule -split-input-file -verify-diagnostics

func.func @unknown_scheduler(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'fusion.segment' op expected a registered scheduler, but got 'no-such-scheduler'}}
  %s = fusion.segment "no-such-scheduler" (%a = %x : tensor<4x8xf32>) -> (tensor<4x8xf32>) {
    %y = arith.addf %a, %a : tensor<4x8xf32>
    fusion.yield %y : tensor<4x8xf32>
  }
  return %s : tensor<4x8xf32>
}

// -----

func.func @no_operations(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'fusion.segment' op expected operations in the segment, but got none}}
  %s = fusion.segment "inner-outer-persistent" (%a = %x : tensor<4x8xf32>) -> (tensor<4x8xf32>) {
    fusion.yield %a : tensor<4x8xf32>
  }
  return %s : tensor<4x8xf32>
}

// -----

// The reason names the operation in the segment.
func.func @not_accepted(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'fusion.segment' op is not accepted by its scheduler}}
  %s = fusion.segment "inner-outer-persistent" (%a = %x : tensor<4x8xf32>) -> (tensor<4x8xf32>) {
    // expected-note@+1 {{inner-outer-persistent: missing-reduction: expected a reduction along the rows or the columns}}
    %y = arith.addf %a, %a : tensor<4x8xf32>
    fusion.yield %y : tensor<4x8xf32>
  }
  return %s : tensor<4x8xf32>
}

// -----

// A constant whose elements differ has no place in a kernel.
func.func @constant_data(%x: tensor<4x2xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
  // expected-error@+1 {{'fusion.segment' op is not accepted by its scheduler}}
  %s:2 = fusion.segment "inner-outer-persistent" (%a = %x : tensor<4x2xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
    // expected-note@+1 {{unsupported-operation: expected element-wise operations with one result, broadcasts, squeezes, positions and reductions, but got 'arith.constant'}}
    %k = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %kb = fusion.broadcast %k dims = [1] : tensor<2xf32> -> tensor<4x2xf32>
    %y = arith.mulf %a, %kb : tensor<4x2xf32>
    %r = fusion.reduce add %y dims = [1] : tensor<4x2xf32> -> tensor<4xf32>
    %c = fusion.reduce add %y dims = [0] : tensor<4x2xf32> -> tensor<2xf32>
    fusion.yield %r, %c : tensor<4xf32>, tensor<2xf32>
  }
  return %s#0, %s#1 : tensor<4xf32>, tensor<2xf32>
}

// -----

// Operations with regions are none that a kernel has.
func.func @region(%x: tensor<4x8xf32>, %b: i1) -> (tensor<4xf32>, tensor<8xf32>) {
  // expected-error@+1 {{'fusion.segment' op is not accepted by its scheduler}}
  %s:2 = fusion.segment "inner-outer-persistent" (%a = %x : tensor<4x8xf32>, %c = %b : i1) -> (tensor<4xf32>, tensor<8xf32>) {
    // expected-note@+1 {{inner-outer-persistent: unsupported-shape}}
    %y = scf.if %c -> tensor<4x8xf32> {
      scf.yield %a : tensor<4x8xf32>
    } else {
      %z = arith.addf %a, %a : tensor<4x8xf32>
      scf.yield %z : tensor<4x8xf32>
    }
    %r = fusion.reduce add %y dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    %d = fusion.reduce add %y dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
    fusion.yield %r, %d : tensor<4xf32>, tensor<8xf32>
  }
  return %s#0, %s#1 : tensor<4xf32>, tensor<8xf32>
}

// -----

// An operand that nothing uses is no reason to refuse.
func.func @unused(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %s:2 = fusion.segment "inner-outer-persistent" (%a = %x : tensor<4x8xf32>, %unused = %x : tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
    fusion.yield %r, %c : tensor<4xf32>, tensor<8xf32>
  }
  return %s#0, %s#1 : tensor<4xf32>, tensor<8xf32>
}

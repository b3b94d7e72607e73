// What holds after the segment phase, and each way in which it may not.
// RUN: fusion-opt %s --fusion-verify-segmented -split-input-file -verify-diagnostics -o /dev/null

// Constants may stand outside, scalars are no concern of it.
func.func @holds(%x: tensor<4x8xf32>, %a: f32) -> (tensor<4xf32>, tensor<8xf32>, f32) {
  %k = arith.constant dense<1.0> : tensor<4xf32>
  %b = arith.addf %a, %a : f32
  %s:2 = fusion.segment "inner-outer-persistent" (%y = %x : tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
    %r = fusion.reduce add %y dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    %c = fusion.reduce add %y dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
    fusion.yield %r, %c : tensor<4xf32>, tensor<8xf32>
  }
  return %k, %s#1, %b : tensor<4xf32>, tensor<8xf32>, f32
}

// -----

func.func @element_wise(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'math.exp' op expected to be in a segment}}
  %y = math.exp %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

func.func @reduction(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'fusion.reduce' op expected to be in a segment}}
  %y = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Another shape of the same memory needs no kernel.
func.func @reshape(%x: tensor<4x8xf32>) -> tensor<32xf32> {
  %y = tensor.collapse_shape %x [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  return %y : tensor<32xf32>
}

// -----

// Nested in another operation's region too.
func.func @nested(%x: tensor<4x8xf32>, %b: i1) -> tensor<4x8xf32> {
  %z = scf.if %b -> tensor<4x8xf32> {
    // expected-error@+1 {{'arith.addf' op expected to be in a segment}}
    %y = arith.addf %x, %x : tensor<4x8xf32>
    scf.yield %y : tensor<4x8xf32>
  } else {
    scf.yield %x : tensor<4x8xf32>
  }
  return %z : tensor<4x8xf32>
}

// -----

func.func @scheduler(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'fusion.segment' op expected a registered scheduler, but got 'no-such-scheduler'}}
  %s = fusion.segment "no-such-scheduler" (%a = %x : tensor<4x8xf32>) -> (tensor<4x8xf32>) {
    %y = arith.addf %a, %a : tensor<4x8xf32>
    fusion.yield %y : tensor<4x8xf32>
  }
  return %s : tensor<4x8xf32>
}

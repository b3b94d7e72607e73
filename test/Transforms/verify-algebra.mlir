// RUN: fusion-opt %s --fusion-verify-algebra -split-input-file -verify-diagnostics

func.func @reduced(%b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fusion.broadcast %b dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
  // expected-error@+1 {{'fusion.reduce' op expected an operand that varies along dimension 1, but a broadcast repeats it}}
  %1 = fusion.reduce maximumf %0 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @kept(%b: tensor<4xf32>) -> tensor<8xf32> {
  %0 = fusion.broadcast %b dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
  // expected-error@+1 {{expected an operand that varies along dimension 1}}
  %1 = fusion.reduce add %0 dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Without reassoc 7 equal values are added.
func.func @sum(%b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fusion.broadcast %b dims = [0] : tensor<4xf32> -> tensor<4x7xf32>
  %1 = fusion.reduce add %0 dims = [1] : tensor<4x7xf32> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @unit(%b: tensor<4xf32>) -> tensor<1xf32> {
  %0 = fusion.broadcast %b dims = [0] : tensor<4xf32> -> tensor<4x1xf32>
  %1 = fusion.reduce add %0 dims = [0] : tensor<4x1xf32> -> tensor<1xf32>
  return %1 : tensor<1xf32>
}

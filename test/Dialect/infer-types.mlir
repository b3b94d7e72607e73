// RUN: fusion-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// Squeeze drops the named unit dimensions; what it infers keeps `?`.
// CHECK-LABEL: func @squeeze
func.func @squeeze(%x: tensor<1x?x1x4xf32>) {
  // CHECK: tensor<1x?x1x4xf32> -> tensor<?x4xf32>
  %0 = fusion.squeeze %x dims = [0, 2] : tensor<1x?x1x4xf32> -> tensor<?x4xf32>
  // CHECK: tensor<1x?x1x4xf32> -> tensor<1x?x4xf32>
  %1 = fusion.squeeze %x dims = [2] : tensor<1x?x1x4xf32> -> tensor<1x?x4xf32>
  return
}

// -----

func.func @squeeze_wrong(%x: tensor<1x?xf32>) {
  // expected-error@+2 {{op failed to infer returned types}}
  // expected-error@+1 {{inferred type(s) 'tensor<?xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  %0 = fusion.squeeze %x dims = [0] : tensor<1x?xf32> -> tensor<4xf32>
  return
}

// -----

// CHECK-LABEL: func @transpose
func.func @transpose(%x: tensor<2x?x4xf32>) {
  // CHECK: tensor<2x?x4xf32> -> tensor<?x4x2xf32>
  %0 = fusion.transpose %x permutation = [1, 2, 0] : tensor<2x?x4xf32> -> tensor<?x4x2xf32>
  return
}

// -----

// An extent that is known cannot be forgotten.
func.func @transpose_wrong(%x: tensor<2x4xf32>) {
  // expected-error@+2 {{op failed to infer returned types}}
  // expected-error@+1 {{inferred type(s) 'tensor<4x2xf32>' are incompatible with return type(s) of operation 'tensor<?x2xf32>'}}
  %0 = fusion.transpose %x permutation = [1, 0] : tensor<2x4xf32> -> tensor<?x2xf32>
  return
}

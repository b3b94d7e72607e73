// Values that meet have equal extents; 1 is no exception.
// RUN: fusion-opt %s --fusion-refine-extents --split-input-file --verify-diagnostics
// RUN: not fusion-opt %s --fusion-segment=refuse-unscheduled --split-input-file 2>&1 | FileCheck %s

// CHECK: note: pointwise: unsupported-shape: expected dimensions that meet to have one extent (dimension 0)
// expected-error@below {{expected dimension 0 to have the extent 1 of the dimensions that it meets, but it has 4}}
func.func @more_than_one(%v: tensor<1x8xf32>, %x: tensor<4x8xf32>) -> tensor<?x8xf32> {
  %a = tensor.cast %v : tensor<1x8xf32> to tensor<?x8xf32>
  %b = tensor.cast %x : tensor<4x8xf32> to tensor<?x8xf32>
  %y = arith.addf %a, %b : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

// CHECK: note: inner-persistent: unsupported-shape: expected dimensions that meet to have one extent (dimension 0)
func.func @one_of_more(%v: tensor<4x8xf32>) -> (tensor<?xf32>, tensor<8xf32>) {
  %a = tensor.cast %v : tensor<4x8xf32> to tensor<?x8xf32>
  // expected-error@below {{expected dimension 0 to have the extent 4 of the dimensions that it meets, but it has 1}}
  %o = arith.constant dense<2.0> : tensor<1x8xf32>
  %b = tensor.cast %o : tensor<1x8xf32> to tensor<?x8xf32>
  %y = arith.addf %a, %b : tensor<?x8xf32>
  %r = fusion.reduce add %y dims = [1] : tensor<?x8xf32> -> tensor<?xf32>
  %c = fusion.reduce add %y dims = [0] : tensor<?x8xf32> -> tensor<8xf32>
  return %r, %c : tensor<?xf32>, tensor<8xf32>
}

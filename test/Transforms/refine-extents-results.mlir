// RUN: fusion-opt %s --fusion-refine-extents=refine-results=true | FileCheck %s

// Nothing calls it: it may return what is known.
// CHECK-LABEL: func.func @free(
// CHECK-SAME: %[[X:[^ :]+]]: tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: %[[Y:.+]] = arith.negf %[[X]] : tensor<4x8xf32>
// CHECK: return %[[Y]] : tensor<4x8xf32>
func.func @free(%x: tensor<4x8xf32>) -> tensor<?x8xf32> {
  %c = tensor.cast %x : tensor<4x8xf32> to tensor<?x8xf32>
  %y = arith.negf %c : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @called(
// CHECK-SAME: -> tensor<?x8xf32>
func.func @called(%x: tensor<4x8xf32>) -> tensor<?x8xf32> {
  %c = tensor.cast %x : tensor<4x8xf32> to tensor<?x8xf32>
  return %c : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @caller(
func.func @caller(%x: tensor<4x8xf32>) -> tensor<?x8xf32> {
  %y = func.call @called(%x) : (tensor<4x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

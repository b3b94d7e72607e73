// Folders and canonicalisation: each is exact, and each refuses what is not.
// RUN: fusion-opt %s -split-input-file -canonicalize -allow-unregistered-dialect | FileCheck %s

//===----------------------------------------------------------------------===//
// broadcast
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @broadcast_identity
// CHECK-SAME: (%[[X:.*]]: tensor<4x?xf32>)
// CHECK-NEXT: return %[[X]]
func.func @broadcast_identity(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<4x?xf32> -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// CHECK-LABEL: func @broadcast_unit_to_empty
// CHECK: fusion.broadcast
func.func @broadcast_unit_to_empty(%x: tensor<1xf32>) -> tensor<0xf32> {
  %0 = fusion.broadcast %x dims = [0] : tensor<1xf32> -> tensor<0xf32>
  return %0 : tensor<0xf32>
}

// A splat of any size stays one element.
// CHECK-LABEL: func @broadcast_splat
// CHECK-DAG: %[[A:.*]] = arith.constant dense<1.000000e+00> : tensor<1000000x1000000xf32>
// CHECK-DAG: %[[B:.*]] = arith.constant dense<true> : tensor<9xi1>
// CHECK: return %[[A]], %[[B]]
func.func @broadcast_splat() -> (tensor<1000000x1000000xf32>, tensor<9xi1>) {
  %a = arith.constant dense<1.0> : tensor<f32>
  %b = arith.constant dense<true> : tensor<1xi1>
  %0 = fusion.broadcast %a dims = [] : tensor<f32> -> tensor<1000000x1000000xf32>
  %1 = fusion.broadcast %b dims = [0] : tensor<1xi1> -> tensor<9xi1>
  return %0, %1 : tensor<1000000x1000000xf32>, tensor<9xi1>
}

// A constant that is no splat is not copied, and one of a dynamic result cannot be.
// CHECK-LABEL: func @broadcast_constant_stays
// CHECK-COUNT-2: fusion.broadcast
func.func @broadcast_constant_stays(%n: index) -> (tensor<4x2xf32>, tensor<?xf32>) {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = arith.constant dense<1.0> : tensor<f32>
  %0 = fusion.broadcast %a dims = [1] : tensor<2xf32> -> tensor<4x2xf32>
  %1 = fusion.broadcast %b [%n] dims = [] : tensor<f32> -> tensor<?xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<?xf32>
}

// CHECK-LABEL: func @broadcast_chain
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[B:.*]] = fusion.broadcast %[[X]] dims = [2] : tensor<4xf32> -> tensor<2x3x4x5xf32>
// CHECK-NEXT: return %[[B]]
func.func @broadcast_chain(%x: tensor<4xf32>) -> tensor<2x3x4x5xf32> {
  %0 = fusion.broadcast %x dims = [0] : tensor<4xf32> -> tensor<4x5xf32>
  %1 = fusion.broadcast %0 dims = [1, 2] : tensor<4x5xf32> -> tensor<3x4x5xf32>
  %2 = fusion.broadcast %1 dims = [1, 2, 3] : tensor<3x4x5xf32> -> tensor<2x3x4x5xf32>
  return %2 : tensor<2x3x4x5xf32>
}

// A unit dimension, old or new, grows in the second step.
// CHECK-LABEL: func @broadcast_chain_grows
// CHECK-SAME: (%[[X:.*]]: tensor<1x4xf32>)
// CHECK-NEXT: %[[B:.*]] = fusion.broadcast %[[X]] dims = [1, 2] : tensor<1x4xf32> -> tensor<7x8x4xf32>
// CHECK-NEXT: return %[[B]]
func.func @broadcast_chain_grows(%x: tensor<1x4xf32>) -> tensor<7x8x4xf32> {
  %0 = fusion.broadcast %x dims = [1, 2] : tensor<1x4xf32> -> tensor<1x1x4xf32>
  %1 = fusion.broadcast %0 dims = [0, 1, 2] : tensor<1x1x4xf32> -> tensor<7x8x4xf32>
  return %1 : tensor<7x8x4xf32>
}

// The extents of both steps, in the order of the result's dimensions.
// CHECK-LABEL: func @broadcast_chain_dynamic
// CHECK-SAME: (%[[X:.*]]: tensor<1x?xf32>, %[[A:.*]]: index, %[[B:.*]]: index, %[[C:.*]]: index)
// CHECK-NEXT: %[[R:.*]] = fusion.broadcast %[[X]][%[[C]], %[[A]], %[[B]]] dims = [1, 2] : tensor<1x?xf32> -> tensor<?x?x?x?xf32>
// CHECK-NEXT: return %[[R]]
func.func @broadcast_chain_dynamic(%x: tensor<1x?xf32>, %a: index, %b: index, %c: index) -> tensor<?x?x?x?xf32> {
  %0 = fusion.broadcast %x [%a, %b] dims = [0, 1] : tensor<1x?xf32> -> tensor<?x?x?xf32>
  %1 = fusion.broadcast %0 [%c] dims = [1, 2, 3] : tensor<?x?x?xf32> -> tensor<?x?x?x?xf32>
  return %1 : tensor<?x?x?x?xf32>
}

//===----------------------------------------------------------------------===//
// squeeze
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @squeeze_nothing
// CHECK-SAME: (%[[X:.*]]: tensor<1x?xf32>)
// CHECK-NEXT: return %[[X]]
func.func @squeeze_nothing(%x: tensor<1x?xf32>) -> tensor<1x?xf32> {
  %0 = fusion.squeeze %x dims = [] : tensor<1x?xf32> -> tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}

// CHECK-LABEL: func @squeeze_constant
// CHECK-DAG: %[[A:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[B:.*]] = arith.constant dense<[true, false, true]> : tensor<3xi1>
// CHECK-DAG: %[[C:.*]] = arith.constant dense<3> : tensor<i8>
// CHECK: return %[[A]], %[[B]], %[[C]]
func.func @squeeze_constant() -> (tensor<2xf32>, tensor<3xi1>, tensor<i8>) {
  %a = arith.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %b = arith.constant dense<[[true, false, true]]> : tensor<1x3xi1>
  %c = arith.constant dense<3> : tensor<1x1xi8>
  %0 = fusion.squeeze %a dims = [1] : tensor<2x1xf32> -> tensor<2xf32>
  %1 = fusion.squeeze %b dims = [0] : tensor<1x3xi1> -> tensor<3xi1>
  %2 = fusion.squeeze %c dims = [0, 1] : tensor<1x1xi8> -> tensor<i8>
  return %0, %1, %2 : tensor<2xf32>, tensor<3xi1>, tensor<i8>
}

// CHECK-LABEL: func @squeeze_chain
// CHECK-SAME: (%[[X:.*]]: tensor<1x4x1x1x?xf32>)
// CHECK-NEXT: %[[S:.*]] = fusion.squeeze %[[X]] dims = [0, 2, 3] : tensor<1x4x1x1x?xf32> -> tensor<4x?xf32>
// CHECK-NEXT: return %[[S]]
func.func @squeeze_chain(%x: tensor<1x4x1x1x?xf32>) -> tensor<4x?xf32> {
  %0 = fusion.squeeze %x dims = [2] : tensor<1x4x1x1x?xf32> -> tensor<1x4x1x?xf32>
  %1 = fusion.squeeze %0 dims = [0, 2] : tensor<1x4x1x?xf32> -> tensor<4x?xf32>
  return %1 : tensor<4x?xf32>
}

//===----------------------------------------------------------------------===//
// transpose
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @transpose_identity
// CHECK-SAME: (%[[X:.*]]: tensor<4x?xf32>)
// CHECK-NEXT: return %[[X]]
func.func @transpose_identity(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = fusion.transpose %x permutation = [0, 1] : tensor<4x?xf32> -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// A square result is no identity.
// CHECK-LABEL: func @transpose_square
// CHECK: fusion.transpose
func.func @transpose_square(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = fusion.transpose %x permutation = [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: func @transpose_chain
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>)
// CHECK-NEXT: %[[T:.*]] = fusion.transpose %[[X]] permutation = [1, 0, 2] : tensor<2x3x4xf32> -> tensor<3x2x4xf32>
// CHECK-NEXT: return %[[T]]
func.func @transpose_chain(%x: tensor<2x3x4xf32>) -> tensor<3x2x4xf32> {
  %0 = fusion.transpose %x permutation = [1, 2, 0] : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  %1 = fusion.transpose %0 permutation = [0, 2, 1] : tensor<3x4x2xf32> -> tensor<3x2x4xf32>
  return %1 : tensor<3x2x4xf32>
}

// CHECK-LABEL: func @transpose_and_back
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>)
// CHECK-NEXT: return %[[X]]
func.func @transpose_and_back(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = fusion.transpose %x permutation = [1, 2, 0] : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  %1 = fusion.transpose %0 permutation = [2, 0, 1] : tensor<3x4x2xf32> -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func @transpose_constant
// CHECK-DAG: arith.constant dense<7> : tensor<3x2xi32>
// CHECK-DAG: fusion.transpose
func.func @transpose_constant() -> (tensor<3x2xi32>, tensor<3x2xi32>) {
  %a = arith.constant dense<7> : tensor<2x3xi32>
  %b = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %0 = fusion.transpose %a permutation = [1, 0] : tensor<2x3xi32> -> tensor<3x2xi32>
  %1 = fusion.transpose %b permutation = [1, 0] : tensor<2x3xi32> -> tensor<3x2xi32>
  return %0, %1 : tensor<3x2xi32>, tensor<3x2xi32>
}

// -----

// In a graph region an operation may be its own operand: nothing folds, and
// nothing runs for ever.
// CHECK-LABEL: module @cycles
module @cycles {
  // CHECK: fusion.transpose
  %0 = fusion.transpose %0 permutation = [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  %1 = fusion.transpose %0 permutation = [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  %2 = fusion.transpose %3 permutation = [0, 1] : tensor<4x4xf32> -> tensor<4x4xf32>
  %3 = fusion.transpose %2 permutation = [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  // CHECK: fusion.broadcast
  %4 = fusion.broadcast %4 dims = [0] : tensor<4xf32> -> tensor<4xf32>
  %5 = fusion.broadcast %4 dims = [1] : tensor<4xf32> -> tensor<3x4xf32>
  // CHECK: fusion.squeeze
  %6 = fusion.squeeze %6 dims = [] : tensor<4xf32> -> tensor<4xf32>
  // CHECK: fusion.reduce
  %7 = fusion.reduce add %7 dims = [] : tensor<4xf32> -> tensor<4xf32>
  // CHECK: "test.use"
  "test.use"(%0, %1, %3, %5, %6, %7) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> ()
}

// -----

//===----------------------------------------------------------------------===//
// iota
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @iota
// CHECK-DAG: %[[Z:.*]] = arith.constant dense<0> : tensor<1xi32>
// CHECK-DAG: %[[E:.*]] = fusion.iota : tensor<0xi32>
// CHECK-DAG: %[[I:.*]] = fusion.iota : tensor<2xi32>
// CHECK: return %[[Z]], %[[E]], %[[I]]
func.func @iota() -> (tensor<1xi32>, tensor<0xi32>, tensor<2xi32>) {
  %0 = fusion.iota : tensor<1xi32>
  %1 = fusion.iota : tensor<0xi32>
  %2 = fusion.iota : tensor<2xi32>
  return %0, %1, %2 : tensor<1xi32>, tensor<0xi32>, tensor<2xi32>
}

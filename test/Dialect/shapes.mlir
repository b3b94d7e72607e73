// Extents of results come from operands: tensor.dim of a result needs no result.
// RUN: fusion-opt %s -resolve-ranked-shaped-type-result-dims -canonicalize | FileCheck %s

// CHECK-LABEL: func @broadcast
// CHECK-SAME: (%[[X:.*]]: tensor<1x?xf32>, %[[N:.*]]: index, %[[M:.*]]: index)
// CHECK: %[[D:.*]] = tensor.dim %[[X]], %c1
// CHECK-NOT: fusion.broadcast
// CHECK: return %[[N]], %[[M]], %[[D]], %c5
func.func @broadcast(%x: tensor<1x?xf32>, %n: index, %m: index) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = fusion.broadcast %x [%n, %m] dims = [1, 2] : tensor<1x?xf32> -> tensor<?x?x?x5xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?x?x?x5xf32>
  %d1 = tensor.dim %0, %c1 : tensor<?x?x?x5xf32>
  %d2 = tensor.dim %0, %c2 : tensor<?x?x?x5xf32>
  %d3 = tensor.dim %0, %c3 : tensor<?x?x?x5xf32>
  return %d0, %d1, %d2, %d3 : index, index, index, index
}

// CHECK-LABEL: func @squeeze
// CHECK-SAME: (%[[X:.*]]: tensor<1x4x1x?xf32>)
// CHECK: %[[D:.*]] = tensor.dim %[[X]], %c3
// CHECK: return %[[D]]
func.func @squeeze(%x: tensor<1x4x1x?xf32>) -> index {
  %c1 = arith.constant 1 : index
  %0 = fusion.squeeze %x dims = [0, 2] : tensor<1x4x1x?xf32> -> tensor<4x?xf32>
  %d = tensor.dim %0, %c1 : tensor<4x?xf32>
  return %d : index
}

// CHECK-LABEL: func @transpose
// CHECK-SAME: (%[[X:.*]]: tensor<?x4x?xf32>)
// CHECK-DAG: %[[D0:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[D2:.*]] = tensor.dim %[[X]], %c2
// CHECK: return %[[D2]], %[[D0]]
func.func @transpose(%x: tensor<?x4x?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = fusion.transpose %x permutation = [2, 0, 1] : tensor<?x4x?xf32> -> tensor<?x?x4xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?x?x4xf32>
  %d1 = tensor.dim %0, %c1 : tensor<?x?x4xf32>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func @reduce
// CHECK-SAME: (%[[X:.*]]: tensor<?x?x?xf32>)
// CHECK-DAG: %[[D0:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[D2:.*]] = tensor.dim %[[X]], %c2
// CHECK-NOT: fusion.reduce
// CHECK: return %[[D0]], %[[D2]]
func.func @reduce(%x: tensor<?x?x?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = fusion.reduce add %x dims = [1] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func @iota
// CHECK-SAME: (%[[N:.*]]: index)
// CHECK: return %[[N]], %c5
func.func @iota(%n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %0 = fusion.iota [%n] : tensor<?xi32>
  %1 = fusion.iota : tensor<5xi32>
  %d0 = tensor.dim %0, %c0 : tensor<?xi32>
  %d1 = tensor.dim %1, %c0 : tensor<5xi32>
  return %d0, %d1 : index, index
}

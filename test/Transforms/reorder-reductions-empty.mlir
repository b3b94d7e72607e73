// Dimensions without elements: what a rule would change about the value of an
// empty reduction is tested for, or the rule is not applied.
// RUN: fusion-opt %s --fusion-reorder-reductions | FileCheck %s

// If the inner reduction is empty, what stands between it and the outer one
// may not be: max(b, -infinity) is b, and not the maximum of nothing. So
// nothing below the two in a row is moved without a test of its own.
// CHECK-LABEL: func.func @empty_within(
// CHECK-SAME: %[[B:.*]]: tensor<3xf32>, %[[Z:.*]]: tensor<4x?xf32>)
// CHECK: %[[N:.*]] = tensor.dim %[[Z]]
// CHECK: %[[E:.*]] = arith.cmpi eq, %[[N]], %{{.*}} : index
// CHECK: %[[S:.*]] = tensor.splat %[[E]] : tensor<i1>
// CHECK: %[[EE:.*]] = fusion.broadcast %[[S]] dims = [] : tensor<i1> -> tensor<3xi1>
// CHECK: %[[MINUS:.*]] = arith.constant dense<0xFF800000> : tensor<3xf32>
// CHECK: %[[M:.*]] = arith.select %[[EE]], %[[MINUS]], %{{.*}} : tensor<3xi1>, tensor<3xf32>
// CHECK: arith.maximumf %[[M]], %[[B]]
func.func @empty_within(%b: tensor<3xf32>, %z: tensor<4x?xf32>) -> tensor<3xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %z, %c1 : tensor<4x?xf32>
  %0 = fusion.broadcast %b [%n] dims = [0] : tensor<3xf32> -> tensor<3x4x?xf32>
  %1 = fusion.broadcast %z dims = [1, 2] : tensor<4x?xf32> -> tensor<3x4x?xf32>
  %2 = arith.addf %0, %1 fastmath<nnan> : tensor<3x4x?xf32>
  %3 = fusion.reduce maximumf %2 dims = [2] : tensor<3x4x?xf32> -> tensor<3x4xf32>
  %4 = fusion.broadcast %b dims = [0] : tensor<3xf32> -> tensor<3x4xf32>
  %5 = arith.maximumf %3, %4 : tensor<3x4xf32>
  %6 = fusion.reduce maximumf %5 dims = [1] : tensor<3x4xf32> -> tensor<3xf32>
  return %6 : tensor<3xf32>
}

// The same, both reductions being in a row.
// CHECK-LABEL: func.func @empty_in_a_row(
// CHECK: arith.select %{{.*}} : tensor<3xi1>, tensor<3xf32>
// CHECK-NEXT: return
func.func @empty_in_a_row(%b: tensor<3xf32>, %z: tensor<4x?xf32>) -> tensor<3xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %z, %c1 : tensor<4x?xf32>
  %0 = fusion.broadcast %b [%n] dims = [0] : tensor<3xf32> -> tensor<3x4x?xf32>
  %1 = fusion.broadcast %z dims = [1, 2] : tensor<4x?xf32> -> tensor<3x4x?xf32>
  %2 = arith.addf %0, %1 fastmath<nnan> : tensor<3x4x?xf32>
  %3 = fusion.reduce maximumf %2 dims = [2] : tensor<3x4x?xf32> -> tensor<3x4xf32>
  %4 = fusion.reduce maximumf %3 dims = [1] : tensor<3x4xf32> -> tensor<3xf32>
  return %4 : tensor<3xf32>
}

// The maximum of nothing is -infinity: minus infinity added to b would be NaN.
// Folders know the value.
// CHECK-LABEL: func.func @static(
// CHECK: arith.addf %{{.*}} fastmath<nnan> : tensor<4x0xf32>
// CHECK-NEXT: fusion.reduce maximumf %{{.*}} dims = [1] : tensor<4x0xf32> -> tensor<4xf32>
// CHECK-NEXT: return
func.func @static(%x: tensor<4x0xf32>) -> tensor<4xf32> {
  %0 = fusion.reduce minimumf %x dims = [1] : tensor<4x0xf32> -> tensor<4xf32>
  %1 = fusion.broadcast %0 dims = [0] : tensor<4xf32> -> tensor<4x0xf32>
  %2 = arith.addf %x, %1 fastmath<nnan> : tensor<4x0xf32>
  %3 = fusion.reduce maximumf %2 dims = [1] : tensor<4x0xf32> -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// f8E4M3FN has no infinity: the maximum of nothing is NaN before the conversion
// and -infinity behind it.
// CHECK-LABEL: func.func @widened(
// CHECK: arith.extf %{{.*}} : tensor<64xf8E4M3FN> to tensor<64xf32>
// CHECK: arith.select %{{.*}} : tensor<64xi1>, tensor<64xf32>
// CHECK-NEXT: return
func.func @widened(%x: tensor<64x?xf8E4M3FN>) -> tensor<64xf32> {
  %0 = arith.extf %x : tensor<64x?xf8E4M3FN> to tensor<64x?xf32>
  %1 = fusion.reduce maximumf %0 dims = [1] : tensor<64x?xf32> -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// Other types keep it.
// CHECK-LABEL: func.func @widened_from_f16(
// CHECK: arith.extf %{{.*}} : tensor<64xf16> to tensor<64xf32>
// CHECK-NEXT: return
func.func @widened_from_f16(%x: tensor<64x?xf16>) -> tensor<64xf32> {
  %0 = arith.extf %x : tensor<64x?xf16> to tensor<64x?xf32>
  %1 = fusion.reduce maximumf %0 dims = [1] : tensor<64x?xf32> -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// More points than an index counts: the integer needs the count modulo 2^32,
// the float its magnitude.
// CHECK-LABEL: func.func @many_points(
// CHECK-DAG: arith.constant dense<1> : tensor<i32>
// CHECK-DAG: arith.constant dense<1.84467441E+19> : tensor<f32>
func.func @many_points(%i: tensor<i32>, %f: tensor<f32>) -> (tensor<i32>, tensor<f32>) {
  %0 = fusion.broadcast %i dims = [] : tensor<i32> -> tensor<4294967297x4294967297xi32>
  %1 = fusion.reduce add %0 dims = [0, 1] : tensor<4294967297x4294967297xi32> -> tensor<i32>
  %2 = fusion.broadcast %f dims = [] : tensor<f32> -> tensor<4294967297x4294967297xf32>
  %3 = fusion.reduce add %2 dims = [0, 1] fastmath<reassoc> : tensor<4294967297x4294967297xf32> -> tensor<f32>
  return %1, %3 : tensor<i32>, tensor<f32>
}

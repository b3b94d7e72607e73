// RUN: fusion-opt %s --fusion-simplify --split-input-file | FileCheck %s
// The result of the pass is its fixed point:
// RUN: fusion-opt %s --fusion-simplify --split-input-file | fusion-opt --fusion-simplify --split-input-file | FileCheck %s

// Unit dimensions that expand_shape adds are new dimensions of a broadcast.
// CHECK-LABEL: func.func @expand_units(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<4xf32>) -> tensor<1x4x1xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = fusion.broadcast %[[A0]] dims = [1] : tensor<4xf32> -> tensor<1x4x1xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x4x1xf32>
func.func @expand_units(%v: tensor<4xf32>) -> tensor<1x4x1xf32> {
  %0 = tensor.expand_shape %v [[0, 1, 2]] output_shape [1, 4, 1] : tensor<4xf32> into tensor<1x4x1xf32>
  return %0 : tensor<1x4x1xf32>
}

// -----

// The operand has no dimension: every one is new.
// CHECK-LABEL: func.func @expand_scalar(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<f32>) -> tensor<1x1xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = fusion.broadcast %[[A0]] dims = [] : tensor<f32> -> tensor<1x1xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x1xf32>
func.func @expand_scalar(%v: tensor<f32>) -> tensor<1x1xf32> {
  %0 = tensor.expand_shape %v [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// -----

// The groups of two stay a reshape.
// CHECK-LABEL: func.func @expand_mixed(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<24x1xf32>) -> tensor<4x1x6x1x1xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = tensor.expand_shape %[[A0]] {{\[\[}}0, 1], [2]] output_shape [4, 6, 1] : tensor<24x1xf32> into tensor<4x6x1xf32>
// CHECK-NEXT: %[[V1:[^ :,]+]] = fusion.broadcast %[[V0]] dims = [0, 2, 3] : tensor<4x6x1xf32> -> tensor<4x1x6x1x1xf32>
// CHECK-NEXT: return %[[V1]] : tensor<4x1x6x1x1xf32>
func.func @expand_mixed(%v: tensor<24x1xf32>) -> tensor<4x1x6x1x1xf32> {
  %0 = tensor.expand_shape %v [[0, 1, 2], [3, 4]] output_shape [4, 1, 6, 1, 1] : tensor<24x1xf32> into tensor<4x1x6x1x1xf32>
  return %0 : tensor<4x1x6x1x1xf32>
}

// -----

// CHECK-LABEL: func.func @expand_dynamic(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<?xf32>, %[[A1:[^ :,]+]]: index) -> tensor<?x1xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = fusion.broadcast %[[A0]] dims = [0] : tensor<?xf32> -> tensor<?x1xf32>
// CHECK-NEXT: return %[[V0]] : tensor<?x1xf32>
func.func @expand_dynamic(%v: tensor<?xf32>, %n: index) -> tensor<?x1xf32> {
  %0 = tensor.expand_shape %v [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
  return %0 : tensor<?x1xf32>
}

// -----

// Nothing to do.
// CHECK-LABEL: func.func @expand_no_units(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<24xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = tensor.expand_shape %[[A0]] {{\[\[}}0, 1]] output_shape [4, 6] : tensor<24xf32> into tensor<4x6xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4x6xf32>
func.func @expand_no_units(%v: tensor<24xf32>) -> tensor<4x6xf32> {
  %0 = tensor.expand_shape %v [[0, 1]] output_shape [4, 6] : tensor<24xf32> into tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

// The reverse: unit dimensions are dropped.
// CHECK-LABEL: func.func @collapse_units(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<1x4x1xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = fusion.squeeze %[[A0]] dims = [0, 2] : tensor<1x4x1xf32> -> tensor<4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4xf32>
func.func @collapse_units(%v: tensor<1x4x1xf32>) -> tensor<4xf32> {
  %0 = tensor.collapse_shape %v [[0, 1, 2]] : tensor<1x4x1xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @collapse_all(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<1x1xf32>) -> tensor<f32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = fusion.squeeze %[[A0]] dims = [0, 1] : tensor<1x1xf32> -> tensor<f32>
// CHECK-NEXT: return %[[V0]] : tensor<f32>
func.func @collapse_all(%v: tensor<1x1xf32>) -> tensor<f32> {
  %0 = tensor.collapse_shape %v [] : tensor<1x1xf32> into tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @collapse_mixed(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<4x1x6x1x1xf32>) -> tensor<24x1xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = fusion.squeeze %[[A0]] dims = [1, 4] : tensor<4x1x6x1x1xf32> -> tensor<4x6x1xf32>
// CHECK-NEXT: %[[V1:[^ :,]+]] = tensor.collapse_shape %[[V0]] {{\[\[}}0, 1], [2]] : tensor<4x6x1xf32> into tensor<24x1xf32>
// CHECK-NEXT: return %[[V1]] : tensor<24x1xf32>
func.func @collapse_mixed(%v: tensor<4x1x6x1x1xf32>) -> tensor<24x1xf32> {
  %0 = tensor.collapse_shape %v [[0, 1, 2], [3, 4]] : tensor<4x1x6x1x1xf32> into tensor<24x1xf32>
  return %0 : tensor<24x1xf32>
}

// -----

// CHECK-LABEL: func.func @collapse_dynamic(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<?x1xf32>) -> tensor<?xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = fusion.squeeze %[[A0]] dims = [1] : tensor<?x1xf32> -> tensor<?xf32>
// CHECK-NEXT: return %[[V0]] : tensor<?xf32>
func.func @collapse_dynamic(%v: tensor<?x1xf32>) -> tensor<?xf32> {
  %0 = tensor.collapse_shape %v [[0, 1]] : tensor<?x1xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// A row scalar on its way through keep-dimension idioms: one broadcast is left,
// and the scale is applied to the rows.
// CHECK-LABEL: func.func @thunder(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<2048xf32>) -> tensor<2048x8192xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = arith.constant dense<1.22070313E-4> : tensor<2048xf32>
// CHECK-NEXT: %[[V1:[^ :,]+]] = arith.mulf %[[A0]], %[[V0]] : tensor<2048xf32>
// CHECK-NEXT: %[[V2:[^ :,]+]] = fusion.broadcast %[[V1]] dims = [0] : tensor<2048xf32> -> tensor<2048x8192xf32>
// CHECK-NEXT: return %[[V2]] : tensor<2048x8192xf32>
func.func @thunder(%v: tensor<2048xf32>) -> tensor<2048x8192xf32> {
  %a = fusion.broadcast %v dims = [0] : tensor<2048xf32> -> tensor<2048x1xf32>
  %b = fusion.squeeze %a dims = [1] : tensor<2048x1xf32> -> tensor<2048xf32>
  %c = tensor.expand_shape %b [[0, 1]] output_shape [2048, 1] : tensor<2048xf32> into tensor<2048x1xf32>
  %d = fusion.broadcast %c dims = [0, 1] : tensor<2048x1xf32> -> tensor<2048x8192xf32>
  %k = arith.constant dense<0.0001220703125> : tensor<2048x8192xf32>
  %e = arith.mulf %d, %k : tensor<2048x8192xf32>
  return %e : tensor<2048x8192xf32>
}

// -----

// CHECK-LABEL: func.func @squeeze_of_grown(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<1x4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = fusion.squeeze %[[A0]] dims = [0] : tensor<1x4xf32> -> tensor<4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4xf32>
func.func @squeeze_of_grown(%v: tensor<1x4xf32>) -> tensor<4xf32> {
  %b = fusion.broadcast %v dims = [0, 2] : tensor<1x4xf32> -> tensor<1x1x4xf32>
  %s = fusion.squeeze %b dims = [0, 1] : tensor<1x1x4xf32> -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

// The squeezed dimension grows instead.
// CHECK-LABEL: func.func @broadcast_of_squeeze(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<4x1xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = fusion.broadcast %[[A0]] dims = [0, 1] : tensor<4x1xf32> -> tensor<4x8xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4x8xf32>
func.func @broadcast_of_squeeze(%v: tensor<4x1xf32>) -> tensor<4x8xf32> {
  %s = fusion.squeeze %v dims = [1] : tensor<4x1xf32> -> tensor<4xf32>
  %b = fusion.broadcast %s dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
  return %b : tensor<4x8xf32>
}

// -----

// It cannot: the new dimension is not where the squeezed one was.
// CHECK-LABEL: func.func @broadcast_of_squeeze_elsewhere(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<1x4xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = fusion.squeeze %[[A0]] dims = [0] : tensor<1x4xf32> -> tensor<4xf32>
// CHECK-NEXT: %[[V1:[^ :,]+]] = fusion.broadcast %[[V0]] dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
// CHECK-NEXT: return %[[V1]] : tensor<4x8xf32>
func.func @broadcast_of_squeeze_elsewhere(%v: tensor<1x4xf32>) -> tensor<4x8xf32> {
  %s = fusion.squeeze %v dims = [0] : tensor<1x4xf32> -> tensor<4xf32>
  %b = fusion.broadcast %s dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
  return %b : tensor<4x8xf32>
}

// -----

// Index operands follow their dimensions.
// CHECK-LABEL: func.func @transpose_of_broadcast(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<3x4xf32>, %[[A1:[^ :,]+]]: index, %[[A2:[^ :,]+]]: index) -> (tensor<4x3x?x?xf32>, tensor<3x?x4x?xf32>)
// CHECK-NEXT: %[[V0:[^ :,]+]] = fusion.transpose %[[A0]] permutation = [1, 0] : tensor<3x4xf32> -> tensor<4x3xf32>
// CHECK-NEXT: %[[V1:[^ :,]+]] = fusion.broadcast %[[V0]][%[[A2]], %[[A1]]] dims = [0, 1] : tensor<4x3xf32> -> tensor<4x3x?x?xf32>
// CHECK-NEXT: %[[V2:[^ :,]+]] = fusion.broadcast %[[A0]][%[[A2]], %[[A1]]] dims = [0, 2] : tensor<3x4xf32> -> tensor<3x?x4x?xf32>
// CHECK-NEXT: return %[[V1]], %[[V2]] : tensor<4x3x?x?xf32>, tensor<3x?x4x?xf32>
func.func @transpose_of_broadcast(%v: tensor<3x4xf32>, %n: index, %m: index) -> (tensor<4x3x?x?xf32>, tensor<3x?x4x?xf32>) {
  %b = fusion.broadcast %v [%n, %m] dims = [1, 3] : tensor<3x4xf32> -> tensor<?x3x?x4xf32>
  %t = fusion.transpose %b permutation = [3, 1, 2, 0] : tensor<?x3x?x4xf32> -> tensor<4x3x?x?xf32>
  %u = fusion.transpose %b permutation = [1, 2, 3, 0] : tensor<?x3x?x4xf32> -> tensor<3x?x4x?xf32>
  return %t, %u : tensor<4x3x?x?xf32>, tensor<3x?x4x?xf32>
}

// -----

// CHECK-LABEL: func.func @transpose_of_units(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<1x4x?xf32>) -> tensor<4x1x?xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = fusion.squeeze %[[A0]] dims = [0] : tensor<1x4x?xf32> -> tensor<4x?xf32>
// CHECK-NEXT: %[[V1:[^ :,]+]] = fusion.broadcast %[[V0]] dims = [0, 2] : tensor<4x?xf32> -> tensor<4x1x?xf32>
// CHECK-NEXT: return %[[V1]] : tensor<4x1x?xf32>
func.func @transpose_of_units(%v: tensor<1x4x?xf32>) -> tensor<4x1x?xf32> {
  %t = fusion.transpose %v permutation = [1, 0, 2] : tensor<1x4x?xf32> -> tensor<4x1x?xf32>
  return %t : tensor<4x1x?xf32>
}

// -----

// CHECK-LABEL: func.func @squeeze_of_transpose(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<4x1x3xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = fusion.squeeze %[[A0]] dims = [1] : tensor<4x1x3xf32> -> tensor<4x3xf32>
// CHECK-NEXT: %[[V1:[^ :,]+]] = fusion.transpose %[[V0]] permutation = [1, 0] : tensor<4x3xf32> -> tensor<3x4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<3x4xf32>
func.func @squeeze_of_transpose(%v: tensor<4x1x3xf32>) -> tensor<3x4xf32> {
  %t = fusion.transpose %v permutation = [1, 2, 0] : tensor<4x1x3xf32> -> tensor<1x3x4xf32>
  %s = fusion.squeeze %t dims = [0] : tensor<1x3x4xf32> -> tensor<3x4xf32>
  return %s : tensor<3x4xf32>
}

// -----

// All operands are uniform along the rows; attributes and flags stay.
// CHECK-LABEL: func.func @hoist(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<4xf32>, %[[A1:[^ :,]+]]: tensor<f32>, %[[A2:[^ :,]+]]: f32) -> tensor<4x8xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = fusion.broadcast %[[A1]] dims = [] : tensor<f32> -> tensor<4xf32>
// CHECK-NEXT: %[[V1:[^ :,]+]] = arith.addf %[[A0]], %[[V0]] {k} : tensor<4xf32>
// CHECK-NEXT: %[[V2:[^ :,]+]] = tensor.splat %[[A2]] : tensor<4xf32>
// CHECK-NEXT: %[[V3:[^ :,]+]] = arith.mulf %[[V1]], %[[V2]] fastmath<contract> : tensor<4xf32>
// CHECK-NEXT: %[[V4:[^ :,]+]] = math.rsqrt %[[V3]] : tensor<4xf32>
// CHECK-NEXT: %[[V5:[^ :,]+]] = fusion.broadcast %[[V4]] dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
// CHECK-NEXT: return %[[V5]] : tensor<4x8xf32>
func.func @hoist(%r: tensor<4xf32>, %s: tensor<f32>, %e: f32) -> tensor<4x8xf32> {
  %a = fusion.broadcast %r dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
  %b = fusion.broadcast %s dims = [] : tensor<f32> -> tensor<4x8xf32>
  %c = tensor.splat %e : tensor<4x8xf32>
  %d = arith.addf %a, %b {k} : tensor<4x8xf32>
  %f = arith.mulf %d, %c fastmath<contract> : tensor<4x8xf32>
  %g = math.rsqrt %f : tensor<4x8xf32>
  return %g : tensor<4x8xf32>
}

// -----

// No operand varies over all that the result varies over.
// CHECK-LABEL: func.func @no_hoist_rows_and_columns(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<4xf32>, %[[A1:[^ :,]+]]: tensor<8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = fusion.broadcast %[[A0]] dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
// CHECK-NEXT: %[[V1:[^ :,]+]] = fusion.broadcast %[[A1]] dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
// CHECK-NEXT: %[[V2:[^ :,]+]] = arith.addf %[[V0]], %[[V1]] : tensor<4x8xf32>
// CHECK-NEXT: return %[[V2]] : tensor<4x8xf32>
func.func @no_hoist_rows_and_columns(%r: tensor<4xf32>, %s: tensor<8xf32>) -> tensor<4x8xf32> {
  %a = fusion.broadcast %r dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
  %b = fusion.broadcast %s dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
  %d = arith.addf %a, %b : tensor<4x8xf32>
  return %d : tensor<4x8xf32>
}

// -----

// Division may be undefined: it must not be evaluated where it was not.
// CHECK-LABEL: func.func @no_hoist_division(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<4xi32>, %[[A1:[^ :,]+]]: tensor<4xi32>) -> tensor<4x8xi32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = fusion.broadcast %[[A0]] dims = [0] : tensor<4xi32> -> tensor<4x8xi32>
// CHECK-NEXT: %[[V1:[^ :,]+]] = fusion.broadcast %[[A1]] dims = [0] : tensor<4xi32> -> tensor<4x8xi32>
// CHECK-NEXT: %[[V2:[^ :,]+]] = arith.divsi %[[V0]], %[[V1]] : tensor<4x8xi32>
// CHECK-NEXT: return %[[V2]] : tensor<4x8xi32>
func.func @no_hoist_division(%r: tensor<4xi32>, %s: tensor<4xi32>) -> tensor<4x8xi32> {
  %a = fusion.broadcast %r dims = [0] : tensor<4xi32> -> tensor<4x8xi32>
  %b = fusion.broadcast %s dims = [0] : tensor<4xi32> -> tensor<4x8xi32>
  %d = arith.divsi %a, %b : tensor<4x8xi32>
  return %d : tensor<4x8xi32>
}

// -----

// CHECK-LABEL: func.func @hoist_dynamic(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<?xf32>, %[[A1:[^ :,]+]]: tensor<?xf32>, %[[A2:[^ :,]+]]: index) -> tensor<?x8xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = arith.addf %[[A0]], %[[A1]] : tensor<?xf32>
// CHECK-NEXT: %[[V1:[^ :,]+]] = fusion.broadcast %[[V0]] dims = [0] : tensor<?xf32> -> tensor<?x8xf32>
// CHECK-NEXT: return %[[V1]] : tensor<?x8xf32>
func.func @hoist_dynamic(%r: tensor<?xf32>, %s: tensor<?xf32>, %n: index) -> tensor<?x8xf32> {
  %a = fusion.broadcast %r dims = [0] : tensor<?xf32> -> tensor<?x8xf32>
  %b = fusion.broadcast %s dims = [0] : tensor<?xf32> -> tensor<?x8xf32>
  %d = arith.addf %a, %b : tensor<?x8xf32>
  return %d : tensor<?x8xf32>
}

// -----

// Values without elements, and reductions of them.
// CHECK-LABEL: func.func @empty(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<0x4xf32>) -> (tensor<0x4xf32>, tensor<4xf32>, tensor<0xf32>)
// CHECK-NEXT: %[[V0:[^ :,]+]] = arith.constant dense<> : tensor<0x4xf32>
// CHECK-NEXT: %[[V1:[^ :,]+]] = arith.constant dense<0xFF800000> : tensor<4xf32>
// CHECK-NEXT: %[[V2:[^ :,]+]] = arith.constant dense<> : tensor<0xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<0x4xf32>, tensor<4xf32>, tensor<0xf32>
func.func @empty(%v: tensor<0x4xf32>) -> (tensor<0x4xf32>, tensor<4xf32>, tensor<0xf32>) {
  %a = math.exp %v : tensor<0x4xf32>
  %b = fusion.reduce maximumf %a dims = [0] : tensor<0x4xf32> -> tensor<4xf32>
  %c = fusion.reduce add %a dims = [1] : tensor<0x4xf32> -> tensor<0xf32>
  return %a, %b, %c : tensor<0x4xf32>, tensor<4xf32>, tensor<0xf32>
}

// -----

// A dynamic extent is no unit, whatever it is at run time.
// CHECK-LABEL: func.func @dynamic_one_never_grows(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<?xf32>, %[[A1:[^ :,]+]]: tensor<?x8xf32>) -> tensor<?x8xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = fusion.broadcast %[[A0]] dims = [0] : tensor<?xf32> -> tensor<?x8xf32>
// CHECK-NEXT: %[[V1:[^ :,]+]] = arith.addf %[[V0]], %[[A1]] : tensor<?x8xf32>
// CHECK-NEXT: return %[[V1]] : tensor<?x8xf32>
func.func @dynamic_one_never_grows(%v: tensor<?xf32>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %b = fusion.broadcast %v dims = [0] : tensor<?xf32> -> tensor<?x8xf32>
  %y = arith.addf %b, %x : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

// A minimum or maximum of repeated elements is that of the elements; of none it is not.
// CHECK-LABEL: func.func @maximum_of_repeated(
// CHECK-SAME: %[[V:[^ :,]+]]: tensor<4x1x6xf16>, %[[N:[^ :,]+]]: index)
// CHECK: %[[R:[^ :,]+]] = fusion.reduce maximumf %[[V]] dims = [2] : tensor<4x1x6xf16> -> tensor<4x1xf32>
// CHECK-NEXT: %[[B:[^ :,]+]] = fusion.broadcast %[[R]][%[[N]]] dims = [1, 2] : tensor<4x1xf32> -> tensor<?x4x1xf32>
// CHECK: fusion.reduce maximumf %{{.*}} dims = [0]
// CHECK: fusion.reduce maximumf %{{.*}} dims = [0]
func.func @maximum_of_repeated(%v: tensor<4x1x6xf16>, %n: index) -> (tensor<?x4x1xf32>, tensor<6xf16>, tensor<6xf16>) {
  %b = fusion.broadcast %v [%n] dims = [2, 3, 4] : tensor<4x1x6xf16> -> tensor<5x?x4x1x6xf16>
  %m = fusion.reduce maximumf %b dims = [0, 4] : tensor<5x?x4x1x6xf16> -> tensor<?x4x1xf32>
  %w = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf16>
  %d = fusion.broadcast %w [%n] dims = [1] : tensor<6xf16> -> tensor<?x6xf16>
  %o = fusion.reduce maximumf %d dims = [0] : tensor<?x6xf16> -> tensor<6xf16>
  %f = fusion.broadcast %w [%n] dims = [1] : tensor<6xf16> -> tensor<?x6xf16>
  %p = fusion.reduce maximumf %f dims = [0] : tensor<?x6xf16> -> tensor<6xf16>
  return %m, %o, %p : tensor<?x4x1xf32>, tensor<6xf16>, tensor<6xf16>
}

// -----

// A sum moves before a repetition that stays; repeated elements are no sum of one.
// CHECK-LABEL: func.func @sum_of_repeated(
// CHECK-SAME: %[[V:[^ :,]+]]: tensor<4x6xf32>)
// CHECK-NEXT: %[[C:[^ :,]+]] = fusion.broadcast %[[V]] dims = [1, 2] : tensor<4x6xf32> -> tensor<8x4x6xf32>
// CHECK-NEXT: %[[R:[^ :,]+]] = fusion.reduce add %[[V]] dims = [1] : tensor<4x6xf32> -> tensor<4xf32>
// CHECK-NEXT: %[[B:[^ :,]+]] = fusion.broadcast %[[R]] dims = [1] : tensor<4xf32> -> tensor<8x4xf32>
// CHECK-NEXT: %[[S:[^ :,]+]] = fusion.reduce add %[[C]] dims = [0] : tensor<8x4x6xf32> -> tensor<4x6xf32>
// CHECK-NEXT: return %[[B]], %[[S]]
func.func @sum_of_repeated(%v: tensor<4x6xf32>) -> (tensor<8x4xf32>, tensor<4x6xf32>) {
  %b = fusion.broadcast %v dims = [1, 2] : tensor<4x6xf32> -> tensor<8x4x6xf32>
  %s = fusion.reduce add %b dims = [2] : tensor<8x4x6xf32> -> tensor<8x4xf32>
  %t = fusion.reduce add %b dims = [0] : tensor<8x4x6xf32> -> tensor<4x6xf32>
  return %s, %t : tensor<8x4xf32>, tensor<4x6xf32>
}

// -----

// What adds nothing to a concatenation goes, and with it the concatenation of one.
// CHECK-LABEL: func.func @concat_of_nothing(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<4x0xf32>, %[[A1:[^ :,]+]]: tensor<4x8xf32>, %[[A2:[^ :,]+]]: tensor<4x?xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = tensor.concat dim(1) %[[A1]], %[[A2]] : (tensor<4x8xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
// CHECK-NEXT: return %[[A1]], %[[V0]]
func.func @concat_of_nothing(%a: tensor<4x0xf32>, %b: tensor<4x8xf32>, %c: tensor<4x?xf32>) -> (tensor<4x8xf32>, tensor<4x?xf32>) {
  %0 = tensor.concat dim(1) %a, %b, %a : (tensor<4x0xf32>, tensor<4x8xf32>, tensor<4x0xf32>) -> tensor<4x8xf32>
  %1 = tensor.concat dim(1) %0, %a, %c : (tensor<4x8xf32>, tensor<4x0xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x?xf32>
}

// -----

// A dynamic extent may be 0 and is not known to be. The one operand that is left has
// another type than the result.
// CHECK-LABEL: func.func @concat_of_unknown(
// CHECK-NEXT: tensor.concat dim(1) %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<4x8xf32>)
// CHECK-NEXT: tensor.concat dim(1) %{{.*}}, %{{.*}} : (tensor<4x0xf32>, tensor<4x?xf32>)
func.func @concat_of_unknown(%a: tensor<4x0xf32>, %b: tensor<4x8xf32>, %c: tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x8xf32>) {
  %0 = tensor.concat dim(1) %c, %b : (tensor<4x?xf32>, tensor<4x8xf32>) -> tensor<4x?xf32>
  %1 = tensor.concat dim(1) %a, %c : (tensor<4x0xf32>, tensor<4x?xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<4x?xf32>, tensor<4x8xf32>
}

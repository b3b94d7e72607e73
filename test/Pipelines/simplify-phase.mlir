// What the passes of the simplify phase do together.
// RUN: fusion-opt %s --canonicalize --fusion-refine-extents --fusion-simplify --cse --canonicalize | FileCheck %s

// Casts that cancel.
// CHECK-LABEL: func.func @casts(
// CHECK-SAME: %[[V:[^ :]+]]: tensor<4x8xbf16>)
// CHECK-NEXT: %[[C:.*]] = arith.negf %[[V]] : tensor<4x8xbf16>
// CHECK-NEXT: %[[F:.*]] = arith.extf %[[C]] : tensor<4x8xbf16> to tensor<4x8xf32>
// CHECK-NEXT: return %[[C]], %[[F]]
func.func @casts(%v: tensor<4x8xbf16>) -> (tensor<4x8xbf16>, tensor<4x8xf32>) {
  %a = arith.extf %v : tensor<4x8xbf16> to tensor<4x8xf32>
  %b = arith.truncf %a : tensor<4x8xf32> to tensor<4x8xbf16>
  %c = arith.negf %b : tensor<4x8xbf16>
  %d = arith.extf %c : tensor<4x8xbf16> to tensor<4x8xf32>
  %e = arith.truncf %d : tensor<4x8xf32> to tensor<4x8xbf16>
  %f = arith.extf %e : tensor<4x8xbf16> to tensor<4x8xf32>
  return %c, %f : tensor<4x8xbf16>, tensor<4x8xf32>
}

// A cast that rounds does not cancel.
// CHECK-LABEL: func.func @rounded(
// CHECK-NEXT: arith.truncf
// CHECK-NEXT: arith.extf
func.func @rounded(%v: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = arith.truncf %v : tensor<4x8xf32> to tensor<4x8xbf16>
  %b = arith.extf %a : tensor<4x8xbf16> to tensor<4x8xf32>
  return %b : tensor<4x8xf32>
}

// Equal reductions, and equal broadcasts of them.
// CHECK-LABEL: func.func @equal(
// CHECK-COUNT-1: fusion.reduce
// CHECK-NOT: fusion.reduce
// CHECK-COUNT-1: fusion.broadcast
// CHECK-NOT: fusion.broadcast
// CHECK: return
func.func @equal(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %b = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %k = tensor.expand_shape %b [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %ab = fusion.broadcast %a dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
  %bb = fusion.broadcast %k dims = [0, 1] : tensor<4x1xf32> -> tensor<4x8xf32>
  %c = arith.mulf %ab, %x : tensor<4x8xf32>
  %d = arith.subf %c, %bb : tensor<4x8xf32>
  return %d : tensor<4x8xf32>
}

// A cast up moves before the repetition: what is stored between kernels, if anything, is
// the narrow operand of both.
// CHECK-LABEL: func.func @upcast(
// CHECK-NEXT: %[[U:.*]] = arith.extf %{{.*}} : tensor<4xbf16> to tensor<4xf32>
// CHECK-NEXT: fusion.broadcast %[[U]] dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
func.func @upcast(%v: tensor<4xbf16>, %x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %b = fusion.broadcast %v dims = [0] : tensor<4xbf16> -> tensor<4x8xbf16>
  %u = arith.extf %b : tensor<4x8xbf16> to tensor<4x8xf32>
  %y = arith.mulf %u, %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

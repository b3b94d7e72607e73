// What becomes a segment: connected sets that a scheduler accepts, with their
// constants, at a place where all operands are known and no result is needed yet.
// RUN: fusion-opt %s --fusion-segment=schedulers=inner-outer-persistent -split-input-file | FileCheck %s
// RUN: fusion-opt %s --fusion-segment=schedulers=inner-outer-persistent --fusion-verify-segmented -split-input-file -o /dev/null

// Row and column reductions of one input meet in one segment; the body keeps the
// order, the operands come in the order of their first use.
// CHECK-LABEL: func @sums(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK-NEXT: %[[S:.*]]:2 = fusion.segment "inner-outer-persistent" (%[[A:.*]] = %[[X]] : tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
// CHECK-NEXT:   %[[R:.*]] = fusion.reduce add %[[A]] dims = [1]
// CHECK-NEXT:   %[[C:.*]] = fusion.reduce add %[[A]] dims = [0]
// CHECK-NEXT:   fusion.yield %[[R]], %[[C]]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[S]]#0, %[[S]]#1
func.func @sums(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %r, %c : tensor<4xf32>, tensor<8xf32>
}

// -----

// Layer-norm-like: statistics by broadcast, parameters by column, a second level.
// The constant goes inside; only what is used outside is yielded.
// CHECK-LABEL: func @norm_backward(
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>, %[[MEAN:[a-z0-9]+]]: tensor<4xf32>, %[[G:[a-z0-9]+]]: tensor<8xf32>
// CHECK-NEXT: %[[S:.*]]:2 = fusion.segment "inner-outer-persistent"
// CHECK-SAME: (%{{.*}} = %[[MEAN]] : tensor<4xf32>, %{{.*}} = %[[G]] : tensor<8xf32>, %{{.*}} = %[[DY]] : tensor<4x8xf32>)
// CHECK-SAME: -> (tensor<4x8xf32>, tensor<8xf32>)
// CHECK: arith.constant dense<1.250000e-01>
// CHECK: fusion.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @norm_backward(%dy: tensor<4x8xf32>, %mean: tensor<4xf32>, %g: tensor<8xf32>)
    -> (tensor<4x8xf32>, tensor<8xf32>) {
  %n = arith.constant dense<0.125> : tensor<4xf32>
  %mb = fusion.broadcast %mean dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
  %gb = fusion.broadcast %g dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
  %w = arith.mulf %dy, %gb : tensor<4x8xf32>
  %s = fusion.reduce add %w dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %m = arith.mulf %s, %n : tensor<4xf32>
  %sb = fusion.broadcast %m dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
  %d = arith.subf %w, %sb : tensor<4x8xf32>
  %e = arith.mulf %d, %mb : tensor<4x8xf32>
  %c = fusion.reduce add %e dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %e, %c : tensor<4x8xf32>, tensor<8xf32>
}

// -----

// The four ways to keep a reduced dimension are the same to the scheduler.
// CHECK-LABEL: func @keepdims(
// CHECK-COUNT-1: fusion.segment
// CHECK-NOT: fusion.segment
func.func @keepdims(%x: tensor<4x8xf32>, %k: tensor<4x1xf32>)
    -> (tensor<4x1xf32>, tensor<8xf32>, tensor<4x8xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %e = tensor.expand_shape %r [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %s = arith.addf %e, %k : tensor<4x1xf32>
  %q = fusion.squeeze %s dims = [1] : tensor<4x1xf32> -> tensor<4xf32>
  %b = fusion.broadcast %s dims = [0, 1] : tensor<4x1xf32> -> tensor<4x8xf32>
  %qb = fusion.broadcast %q dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
  %y = arith.addf %b, %qb : tensor<4x8xf32>
  %z = arith.mulf %x, %y : tensor<4x8xf32>
  %c = fusion.reduce add %z dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %s, %c, %z : tensor<4x1xf32>, tensor<8xf32>, tensor<4x8xf32>
}

// -----

// Rows of several dimensions, columns of several dimensions.
// CHECK-LABEL: func @rank_3_rows(
// CHECK-COUNT-1: fusion.segment "inner-outer-persistent"
func.func @rank_3_rows(%x: tensor<2x3x8xf32>) -> (tensor<2x3xf32>, tensor<8xf32>) {
  %r = fusion.reduce add %x dims = [2] : tensor<2x3x8xf32> -> tensor<2x3xf32>
  %c = fusion.reduce add %x dims = [0, 1] : tensor<2x3x8xf32> -> tensor<8xf32>
  return %r, %c : tensor<2x3xf32>, tensor<8xf32>
}

// CHECK-LABEL: func @rank_3_columns(
// CHECK-COUNT-1: fusion.segment "inner-outer-persistent"
func.func @rank_3_columns(%x: tensor<5x2x4xf32>) -> (tensor<5xf32>, tensor<2x4xf32>) {
  %r = fusion.reduce add %x dims = [1, 2] : tensor<5x2x4xf32> -> tensor<5xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<5x2x4xf32> -> tensor<2x4xf32>
  return %r, %c : tensor<5xf32>, tensor<2x4xf32>
}

// -----

// One row, one column: dropping the unit dimension is a sum of one element, by
// squeeze as by collapse_shape.
// CHECK-LABEL: func @one_row(
// CHECK-COUNT-1: fusion.segment "inner-outer-persistent"
func.func @one_row(%x: tensor<1x8xf32>) -> (tensor<1xf32>, tensor<8xf32>, tensor<8xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<1x8xf32> -> tensor<1xf32>
  %c = fusion.squeeze %x dims = [0] : tensor<1x8xf32> -> tensor<8xf32>
  %k = tensor.collapse_shape %x [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
  %d = arith.addf %c, %k : tensor<8xf32>
  return %r, %c, %d : tensor<1xf32>, tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func @one_column(
// CHECK-COUNT-1: fusion.segment "inner-outer-persistent"
func.func @one_column(%x: tensor<8x1xf32>) -> (tensor<8xf32>, tensor<1xf32>) {
  %r = fusion.squeeze %x dims = [1] : tensor<8x1xf32> -> tensor<8xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<8x1xf32> -> tensor<1xf32>
  return %r, %c : tensor<8xf32>, tensor<1xf32>
}

// -----

// What is no tensor computation stays where it is, before and after: the segment
// stands after what it reads and before what reads it.
// CHECK-LABEL: func @among_others(
// CHECK: %[[G:.*]] = call @make()
// CHECK-NEXT: %[[S:.*]]:2 = fusion.segment
// CHECK-SAME: = %[[G]] :
// CHECK: call @use(%[[S]]#0)
// CHECK-NEXT: return %[[S]]#1
func.func private @make() -> tensor<8xf32>
func.func private @use(tensor<4xf32>)
func.func @among_others(%x: tensor<4x8xf32>) -> tensor<8xf32> {
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %g = call @make() : () -> tensor<8xf32>
  %gb = fusion.broadcast %g dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
  %y = arith.mulf %x, %gb : tensor<4x8xf32>
  %c = fusion.reduce add %y dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  call @use(%r) : (tensor<4xf32>) -> ()
  return %c : tensor<8xf32>
}

// -----

// Two programs in one function, interleaved, are two segments. A scalar that both
// read does not tie them together; each takes its own copy of a shared constant.
// CHECK-LABEL: func @two_programs(
// CHECK: fusion.segment
// CHECK: tensor.splat
// CHECK: fusion.yield
// CHECK: fusion.segment
// CHECK: tensor.splat
// CHECK: fusion.yield
// CHECK-NOT: fusion.segment
func.func @two_programs(%x: tensor<4x8xf32>, %y: tensor<2x4xf32>, %s: f32)
    -> (tensor<4xf32>, tensor<8xf32>, tensor<2xf32>, tensor<4xf32>) {
  %k = arith.constant dense<2.0> : tensor<4xf32>
  %xs = tensor.splat %s : tensor<4x8xf32>
  %ys = tensor.splat %s : tensor<2x4xf32>
  %xx = arith.mulf %x, %xs : tensor<4x8xf32>
  %yy = arith.mulf %y, %ys : tensor<2x4xf32>
  %r = fusion.reduce add %xx dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %q = fusion.reduce add %yy dims = [1] : tensor<2x4xf32> -> tensor<2xf32>
  %c = fusion.reduce add %xx dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  %d = fusion.reduce add %yy dims = [0] : tensor<2x4xf32> -> tensor<4xf32>
  %rk = arith.mulf %r, %k : tensor<4xf32>
  %dk = arith.mulf %d, %k : tensor<4xf32>
  return %rk, %c, %q, %dk : tensor<4xf32>, tensor<8xf32>, tensor<2xf32>, tensor<4xf32>
}

// -----

// Each block of a function is looked at for itself; results may be used in
// another block.
// CHECK-LABEL: func @blocks(
// CHECK: fusion.segment
// CHECK: cf.cond_br
// CHECK: ^bb1:
// CHECK-NEXT: fusion.segment
// CHECK: cf.br
func.func @blocks(%x: tensor<4x8xf32>, %b: i1) -> (tensor<4xf32>, tensor<8xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  cf.cond_br %b, ^more, ^end(%r, %c : tensor<4xf32>, tensor<8xf32>)
^more:
  %rb = fusion.broadcast %r dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
  %s = fusion.reduce add %rb dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %d = fusion.reduce add %rb dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  cf.br ^end(%s, %d : tensor<4xf32>, tensor<8xf32>)
^end(%p: tensor<4xf32>, %q: tensor<8xf32>):
  return %p, %q : tensor<4xf32>, tensor<8xf32>
}

// -----

// A value that is returned twice is yielded once; an input and a constant that
// are returned stay outside.
// CHECK-LABEL: func @returned(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK: %[[K:.*]] = arith.constant dense<[1.0{{.*}}, 2.0{{.*}}]>
// CHECK: %[[S:.*]]:2 = fusion.segment
// CHECK: return %[[S]]#0, %[[S]]#0, %[[S]]#1, %[[X]], %[[K]]
func.func @returned(%x: tensor<4x8xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<2xf32>) {
  %k = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %r, %r, %c, %x, %k : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<2xf32>
}

// -----

// A constant whose elements differ is data: an operand of the segment.
// CHECK-LABEL: func @constant_data(
// CHECK: %[[K:.*]] = arith.constant dense<[1.0
// CHECK: fusion.segment
// CHECK-SAME: = %[[K]] : tensor<2xf32>
func.func @constant_data(%x: tensor<4x2xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
  %k = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %kb = fusion.broadcast %k dims = [1] : tensor<2xf32> -> tensor<4x2xf32>
  %y = arith.mulf %x, %kb : tensor<4x2xf32>
  %r = fusion.reduce add %y dims = [1] : tensor<4x2xf32> -> tensor<4xf32>
  %c = fusion.reduce add %y dims = [0] : tensor<4x2xf32> -> tensor<2xf32>
  return %r, %c : tensor<4xf32>, tensor<2xf32>
}

// -----

// Declarations and functions without tensors are left alone.
// CHECK-LABEL: func private @declared
// CHECK-LABEL: func @scalars
// CHECK-NEXT: %[[A:.*]] = arith.addf
// CHECK-NEXT: return %[[A]]
func.func private @declared(tensor<4x8xf32>) -> tensor<4xf32>
func.func @scalars(%a: f32) -> f32 {
  %b = arith.addf %a, %a : f32
  return %b : f32
}

// -----

// A unit dimension among the rows or the columns stays with whichever value has
// it: it makes none of them partial.
// CHECK-LABEL: func @unit_among_columns(
// CHECK-NEXT: fusion.segment
// CHECK-NOT: fusion.segment
// CHECK: return
func.func @unit_among_columns(%x: tensor<4x1x8xf32>)
    -> (tensor<4x1x8xf32>, tensor<1x8xf32>) {
  %r = fusion.reduce add %x dims = [1, 2] : tensor<4x1x8xf32> -> tensor<4xf32>
  %k = tensor.expand_shape %r [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
  %n = arith.negf %k : tensor<4x1x1xf32>
  %b = fusion.broadcast %n dims = [0, 1, 2] : tensor<4x1x1xf32> -> tensor<4x1x8xf32>
  %y = arith.addf %x, %b : tensor<4x1x8xf32>
  %c = fusion.reduce add %y dims = [0] : tensor<4x1x8xf32> -> tensor<1x8xf32>
  return %y, %c : tensor<4x1x8xf32>, tensor<1x8xf32>
}

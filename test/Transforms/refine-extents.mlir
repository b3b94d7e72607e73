// RUN: fusion-opt %s --fusion-refine-extents --split-input-file --allow-unregistered-dialect | FileCheck %s
// What is refined is refined already:
// RUN: fusion-opt %s --fusion-refine-extents --split-input-file --allow-unregistered-dialect | fusion-opt --fusion-refine-extents --split-input-file --allow-unregistered-dialect | FileCheck %s

// A cast and an element-wise partner say what the inner extent is. The argument is
// checked.
// CHECK-LABEL: func.func @cast_and_partner(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<4x8xf32>, %[[A1:[^ :,]+]]: tensor<4x?xf32>) -> tensor<4x?xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = arith.constant 1 : index
// CHECK-NEXT: %[[V1:[^ :,]+]] = tensor.dim %[[A1]], %[[V0]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V2:[^ :,]+]] = arith.constant 8 : index
// CHECK-NEXT: %[[V3:[^ :,]+]] = arith.cmpi eq, %[[V1]], %[[V2]] : index
// CHECK-NEXT: cf.assert %[[V3]], "expected dimension 1 of argument 1 to be 8"
// CHECK-NEXT: %[[V4:[^ :,]+]] = tensor.cast %[[A1]] : tensor<4x?xf32> to tensor<4x8xf32>
// CHECK-NEXT: %[[V5:[^ :,]+]] = arith.addf %[[A0]], %[[V4]] : tensor<4x8xf32>
// CHECK-NEXT: %[[V6:[^ :,]+]] = tensor.cast %[[V5]] : tensor<4x8xf32> to tensor<4x?xf32>
// CHECK-NEXT: return %[[V6]] : tensor<4x?xf32>
func.func @cast_and_partner(%x: tensor<4x8xf32>, %y: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = tensor.cast %x : tensor<4x8xf32> to tensor<4x?xf32>
  %1 = arith.addf %0, %y : tensor<4x?xf32>
  return %1 : tensor<4x?xf32>
}

// -----

// A size that the facts know is checked and no longer given.
// CHECK-LABEL: func.func @broadcast_size(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<4xf32>, %[[A1:[^ :,]+]]: index, %[[A2:[^ :,]+]]: tensor<4x8xf32>) -> tensor<4x?xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = arith.constant 8 : index
// CHECK-NEXT: %[[V1:[^ :,]+]] = arith.cmpi eq, %[[A1]], %[[V0]] : index
// CHECK-NEXT: cf.assert %[[V1]], "expected the size of dimension 1 of a broadcast to be 8"
// CHECK-NEXT: %[[V2:[^ :,]+]] = fusion.broadcast %[[A0]] dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
// CHECK-NEXT: %[[V3:[^ :,]+]] = arith.addf %[[V2]], %[[A2]] : tensor<4x8xf32>
// CHECK-NEXT: %[[V4:[^ :,]+]] = tensor.cast %[[V3]] : tensor<4x8xf32> to tensor<4x?xf32>
// CHECK-NEXT: return %[[V4]] : tensor<4x?xf32>
func.func @broadcast_size(%v: tensor<4xf32>, %n: index, %x: tensor<4x8xf32>) -> tensor<4x?xf32> {
  %b = fusion.broadcast %v [%n] dims = [0] : tensor<4xf32> -> tensor<4x?xf32>
  %c = tensor.cast %x : tensor<4x8xf32> to tensor<4x?xf32>
  %y = arith.addf %b, %c : tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}

// -----

// CHECK-LABEL: func.func @splat_size(
// CHECK-SAME: %[[A0:[^ :,]+]]: f32, %[[A1:[^ :,]+]]: index, %[[A2:[^ :,]+]]: tensor<8xf32>) -> tensor<?xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = arith.constant 8 : index
// CHECK-NEXT: %[[V1:[^ :,]+]] = arith.cmpi eq, %[[A1]], %[[V0]] : index
// CHECK-NEXT: cf.assert %[[V1]], "expected the size of dimension 0 of a splat to be 8"
// CHECK-NEXT: %[[V2:[^ :,]+]] = tensor.splat %[[A0]] : tensor<8xf32>
// CHECK-NEXT: %[[V3:[^ :,]+]] = arith.addf %[[V2]], %[[A2]] : tensor<8xf32>
// CHECK-NEXT: %[[V4:[^ :,]+]] = tensor.cast %[[V3]] : tensor<8xf32> to tensor<?xf32>
// CHECK-NEXT: return %[[V4]] : tensor<?xf32>
func.func @splat_size(%e: f32, %n: index, %x: tensor<8xf32>) -> tensor<?xf32> {
  %b = tensor.splat %e[%n] : tensor<?xf32>
  %c = tensor.cast %x : tensor<8xf32> to tensor<?xf32>
  %y = arith.addf %b, %c : tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// What is not ours keeps its types.
// CHECK-LABEL: func.func @foreign(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<?x8xf32>, %[[A1:[^ :,]+]]: tensor<4x8xf32>) -> tensor<?x8xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:[^ :,]+]] = tensor.dim %[[A0]], %[[V0]] : tensor<?x8xf32>
// CHECK-NEXT: %[[V2:[^ :,]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[V3:[^ :,]+]] = arith.cmpi eq, %[[V1]], %[[V2]] : index
// CHECK-NEXT: cf.assert %[[V3]], "expected dimension 0 of argument 0 to be 4"
// CHECK-NEXT: %[[V4:[^ :,]+]] = tensor.cast %[[A0]] : tensor<?x8xf32> to tensor<4x8xf32>
// CHECK-NEXT: %[[V5:[^ :,]+]] = arith.mulf %[[V4]], %[[A1]] : tensor<4x8xf32>
// CHECK-NEXT: %[[V6:[^ :,]+]] = tensor.cast %[[V5]] : tensor<4x8xf32> to tensor<?x8xf32>
// CHECK-NEXT: %[[V7:[^ :,]+]] = tensor.cast %[[A1]] : tensor<4x8xf32> to tensor<?x8xf32>
// CHECK-NEXT: %[[V8:[^ :,]+]] = "test.foreign"(%[[V6]], %[[V7]]) : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
// CHECK-NEXT: %[[V9:[^ :,]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[V10:[^ :,]+]] = tensor.dim %[[V8]], %[[V9]] : tensor<?x8xf32>
// CHECK-NEXT: %[[V11:[^ :,]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[V12:[^ :,]+]] = arith.cmpi eq, %[[V10]], %[[V11]] : index
// CHECK-NEXT: cf.assert %[[V12]], "expected dimension 0 of result 0 of 'test.foreign' to be 4"
// CHECK-NEXT: %[[V13:[^ :,]+]] = tensor.cast %[[V8]] : tensor<?x8xf32> to tensor<4x8xf32>
// CHECK-NEXT: %[[V14:[^ :,]+]] = arith.addf %[[V13]], %[[V5]] : tensor<4x8xf32>
// CHECK-NEXT: %[[V15:[^ :,]+]] = tensor.cast %[[V14]] : tensor<4x8xf32> to tensor<?x8xf32>
// CHECK-NEXT: return %[[V15]] : tensor<?x8xf32>
func.func @foreign(%x: tensor<?x8xf32>, %w: tensor<4x8xf32>) -> tensor<?x8xf32> {
  %c = tensor.cast %w : tensor<4x8xf32> to tensor<?x8xf32>
  %y = arith.mulf %x, %c : tensor<?x8xf32>
  %z = "test.foreign"(%y, %c) : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %r = arith.addf %z, %y : tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// -----

// Nothing says what the rows are: they stay.
// CHECK-LABEL: func.func @nothing_known(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<?x8xf32>) -> tensor<?xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = fusion.reduce add %[[A0]] dims = [1] : tensor<?x8xf32> -> tensor<?xf32>
// CHECK-NEXT: return %[[V0]] : tensor<?xf32>
func.func @nothing_known(%x: tensor<?x8xf32>) -> tensor<?xf32> {
  %r = fusion.reduce add %x dims = [1] : tensor<?x8xf32> -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// The product of a group and one of its factors give the other.
// CHECK-LABEL: func.func @reshape(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<?x8xf32>, %[[A1:[^ :,]+]]: index, %[[A2:[^ :,]+]]: tensor<24xf32>) -> tensor<?xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:[^ :,]+]] = tensor.dim %[[A0]], %[[V0]] : tensor<?x8xf32>
// CHECK-NEXT: %[[V2:[^ :,]+]] = arith.constant 3 : index
// CHECK-NEXT: %[[V3:[^ :,]+]] = arith.cmpi eq, %[[V1]], %[[V2]] : index
// CHECK-NEXT: cf.assert %[[V3]], "expected dimension 0 of argument 0 to be 3"
// CHECK-NEXT: %[[V4:[^ :,]+]] = tensor.cast %[[A0]] : tensor<?x8xf32> to tensor<3x8xf32>
// CHECK-NEXT: %[[V5:[^ :,]+]] = tensor.collapse_shape %[[V4]] {{\[\[}}0, 1]] : tensor<3x8xf32> into tensor<24xf32>
// CHECK-NEXT: %[[V6:[^ :,]+]] = arith.addf %[[V5]], %[[A2]] : tensor<24xf32>
// CHECK-NEXT: %[[V7:[^ :,]+]] = tensor.cast %[[V6]] : tensor<24xf32> to tensor<?xf32>
// CHECK-NEXT: return %[[V7]] : tensor<?xf32>
func.func @reshape(%x: tensor<?x8xf32>, %n: index, %w: tensor<24xf32>) -> tensor<?xf32> {
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<?x8xf32> into tensor<?xf32>
  %d = tensor.cast %w : tensor<24xf32> to tensor<?xf32>
  %y = arith.addf %c, %d : tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// A row scalar that reaches a tensor of symbolic width through a constant of 8192
// columns: all are one loop.
// CHECK-LABEL: func.func @symbolic_width(
// CHECK-SAME: %[[A0:[^ :,]+]]: tensor<2048x?xf32>, %[[A1:[^ :,]+]]: tensor<2048xf32>, %[[A2:[^ :,]+]]: tensor<2048x8192xf32>, %[[A3:[^ :,]+]]: index) -> tensor<2048x?xf32>
// CHECK-NEXT: %[[V0:[^ :,]+]] = arith.constant 1 : index
// CHECK-NEXT: %[[V1:[^ :,]+]] = tensor.dim %[[A0]], %[[V0]] : tensor<2048x?xf32>
// CHECK-NEXT: %[[V2:[^ :,]+]] = arith.constant 8192 : index
// CHECK-NEXT: %[[V3:[^ :,]+]] = arith.cmpi eq, %[[V1]], %[[V2]] : index
// CHECK-NEXT: cf.assert %[[V3]], "expected dimension 1 of argument 0 to be 8192"
// CHECK-NEXT: %[[V4:[^ :,]+]] = tensor.cast %[[A0]] : tensor<2048x?xf32> to tensor<2048x8192xf32>
// CHECK-NEXT: %[[V5:[^ :,]+]] = arith.constant dense<1.22070313E-4> : tensor<2048x8192xf32>
// CHECK-NEXT: %[[V6:[^ :,]+]] = fusion.broadcast %[[A1]] dims = [0] : tensor<2048xf32> -> tensor<2048x8192xf32>
// CHECK-NEXT: %[[V7:[^ :,]+]] = arith.mulf %[[V6]], %[[V5]] : tensor<2048x8192xf32>
// CHECK-NEXT: %[[V8:[^ :,]+]] = arith.addf %[[V7]], %[[V4]] : tensor<2048x8192xf32>
// CHECK-NEXT: %[[V9:[^ :,]+]] = tensor.cast %[[V8]] : tensor<2048x8192xf32> to tensor<2048x?xf32>
// CHECK-NEXT: return %[[V9]] : tensor<2048x?xf32>
func.func @symbolic_width(%x: tensor<2048x?xf32>, %sum: tensor<2048xf32>, %g: tensor<2048x8192xf32>, %n: index) -> (tensor<2048x?xf32>) {
  %k = arith.constant dense<0.0001220703125> : tensor<2048x8192xf32>
  %a = fusion.broadcast %sum dims = [0] : tensor<2048xf32> -> tensor<2048x8192xf32>
  %b = arith.mulf %a, %k : tensor<2048x8192xf32>
  %c = tensor.cast %b : tensor<2048x8192xf32> to tensor<2048x?xf32>
  %d = arith.addf %c, %x : tensor<2048x?xf32>
  return %d : tensor<2048x?xf32>
}

// -----

// An extent that turns out to be 1 still is the result's: it does not grow. One that
// is 1 as written does.
// CHECK-LABEL: func.func @one(
// CHECK: %[[V:.+]] = tensor.cast %{{.+}} : tensor<?xf32> to tensor<1xf32>
// CHECK: fusion.broadcast %[[V]] dims = [1] : tensor<1xf32> -> tensor<4x1xf32>
// CHECK: fusion.broadcast %{{.+}}[%{{.+}}] dims = [0, 1] : tensor<1x1xf32> -> tensor<?x1xf32>
func.func @one(%v: tensor<?xf32>, %u: tensor<1x1xf32>, %x: tensor<4x1xf32>, %n: index) -> (tensor<4x?xf32>, tensor<?x?xf32>) {
  %c = tensor.cast %x : tensor<4x1xf32> to tensor<4x?xf32>
  %b = fusion.broadcast %v dims = [1] : tensor<?xf32> -> tensor<4x?xf32>
  %y = arith.addf %b, %c : tensor<4x?xf32>
  %m = tensor.cast %u : tensor<1x1xf32> to tensor<1x?xf32>
  %g = fusion.broadcast %m [%n] dims = [0, 1] : tensor<1x?xf32> -> tensor<?x?xf32>
  return %y, %g : tensor<4x?xf32>, tensor<?x?xf32>
}

// -----

// Loops carry the extents that they start with and that the facts say every
// iteration keeps.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[N:.*]]: index)
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]]) -> (tensor<4x8xf32>)
// CHECK-NEXT: %[[Y:.*]] = arith.addf %[[A]], %[[X]] : tensor<4x8xf32>
// CHECK-NEXT: scf.yield %[[Y]] : tensor<4x8xf32>
// CHECK: tensor.cast %[[R]] : tensor<4x8xf32> to tensor<?x8xf32>
func.func @loop(%x: tensor<4x8xf32>, %n: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = tensor.cast %x : tensor<4x8xf32> to tensor<?x8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c) -> (tensor<?x8xf32>) {
    %y = arith.addf %a, %c : tensor<?x8xf32>
    scf.yield %y : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// -----

// The bodies of loops and conditions are refined also where what they take has
// unknown extents.
// CHECK-LABEL: func.func @body(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[Z:.*]]: tensor<?x8xf32>, %[[N:.*]]: index)
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[Z]]) -> (tensor<?x8xf32>)
// CHECK: %[[ROWS:.*]] = tensor.dim %[[A]]
// CHECK: cf.assert %{{.*}}, "expected dimension 0 of block argument 1 to be 4"
// CHECK: %[[S:.*]] = tensor.cast %[[A]] : tensor<?x8xf32> to tensor<4x8xf32>
// CHECK: %[[Y:.*]] = arith.addf %[[S]], %[[X]] : tensor<4x8xf32>
// CHECK: %[[B:.*]] = tensor.cast %[[Y]] : tensor<4x8xf32> to tensor<?x8xf32>
// CHECK: scf.yield %[[B]] : tensor<?x8xf32>
func.func @body(%x: tensor<4x8xf32>, %z: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = tensor.cast %x : tensor<4x8xf32> to tensor<?x8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (tensor<?x8xf32>) {
    %y = arith.addf %a, %c : tensor<?x8xf32>
    scf.yield %y : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// -----

// Carried tensors change places, pass through conditions and inner loops, and
// are written into: they keep their extents. The rows of the last one do not.
// CHECK-LABEL: func.func @kept(
// CHECK-SAME: %[[X:.*]]: tensor<9x16xf32>, %[[Y:.*]]: tensor<9x16xf32>,
// CHECK: %[[Z:.*]] = tensor.cast %[[Y]] : tensor<9x16xf32> to tensor<?x16xf32>
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]], %[[B:.*]] = %[[Y]], %[[C:.*]] = %[[Z]]) -> (tensor<9x16xf32>, tensor<9x16xf32>, tensor<?x16xf32>)
// CHECK: %[[T:.*]] = scf.if %{{.*}} -> (tensor<9x16xf32>)
// CHECK: math.tanh %[[A]] : tensor<9x16xf32>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[B]]) -> (tensor<9x16xf32>)
// CHECK: %[[W:.*]] = math.absf %{{.*}} : tensor<?x16xf32>
// CHECK: scf.yield %[[B]], %[[T]], %[[W]]
func.func @kept(%x: tensor<9x16xf32>, %y: tensor<9x16xf32>, %n: index, %c: i1, %row: tensor<1x16xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x0 = tensor.cast %x : tensor<9x16xf32> to tensor<?x?xf32>
  %y0 = tensor.cast %y : tensor<9x16xf32> to tensor<?x?xf32>
  %z0 = tensor.cast %y : tensor<9x16xf32> to tensor<?x16xf32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x0, %b = %y0, %z = %z0) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x16xf32>) {
    %t = scf.if %c -> tensor<?x?xf32> {
      %e = math.tanh %a : tensor<?x?xf32>
      scf.yield %e : tensor<?x?xf32>
    } else {
      %q = scf.for %j = %c0 to %n step %c1 iter_args(%u = %b) -> (tensor<?x?xf32>) {
        %v = tensor.insert_slice %row into %u[%j, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<?x?xf32>
        scf.yield %v : tensor<?x?xf32>
      }
      scf.yield %q : tensor<?x?xf32>
    }
    %d = tensor.dim %z, %c0 : tensor<?x16xf32>
    %h = arith.subi %d, %c1 : index
    %s = tensor.extract_slice %z[1, 0] [%h, 16] [1, 1] : tensor<?x16xf32> to tensor<?x16xf32>
    %w = math.absf %s : tensor<?x16xf32>
    scf.yield %b, %t, %w : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x16xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x16xf32>
}

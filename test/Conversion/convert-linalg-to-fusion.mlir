// RUN: fusion-opt %s --convert-linalg-to-fusion --split-input-file | FileCheck %s
// RUN: fusion-opt %s --convert-linalg-to-fusion --fusion-simplify --split-input-file | FileCheck %s --check-prefix=SIMPLE

// An element-wise operation per operation of the body; the init is dead.
// CHECK-LABEL: func @elementwise(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x8xf32>
// CHECK-NEXT: %[[M:.*]] = arith.mulf %[[X]], %[[Y]] fastmath<contract> : tensor<4x8xf32>
// CHECK-NEXT: %[[E:.*]] = math.exp %[[M]] : tensor<4x8xf32>
// CHECK-NEXT: return %[[E]]
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @elementwise(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b fastmath<contract> : f32
    %r = math.exp %m : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// What is computed of rows alone is computed once a row. Zeros stand for unit
// dimensions, columns are broadcast, a transposed operand is transposed.
// CHECK-LABEL: func @spaces(
// CHECK-SAME: %[[R:.*]]: tensor<4x1xf32>, %[[C:.*]]: tensor<8xf32>, %[[T:.*]]: tensor<8x4xf32>
// CHECK: %[[RS:.*]] = fusion.squeeze %[[R]] dims = [1]
// CHECK: %[[TT:.*]] = fusion.transpose %[[T]] permutation = [1, 0]
// CHECK: %[[N:.*]] = math.rsqrt %[[RS]] : tensor<4xf32>
// CHECK: %[[NB:.*]] = fusion.broadcast %[[N]] dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
// CHECK: %[[CB:.*]] = fusion.broadcast %[[C]] dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
// CHECK: %[[P:.*]] = arith.mulf %[[NB]], %[[CB]]
// CHECK: arith.addf %[[P]], %[[TT]]
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @spaces(%r: tensor<4x1xf32>, %c: tensor<8xf32>, %t: tensor<8x4xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d1)>,
                                        affine_map<(d0, d1) -> (d1, d0)>, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%r, %c, %t : tensor<4x1xf32>, tensor<8xf32>, tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %out: f32):
    %n = math.rsqrt %a : f32
    %m = arith.mulf %n, %b : f32
    %s = arith.addf %m, %d : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// A sum of squares needs no init: it is never -0.0. The sum of anything may be,
// and 0.0 + -0.0 is 0.0: the init is combined.
// CHECK-LABEL: func @sums(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK: %[[S:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK: %[[Q:.*]] = fusion.reduce add %[[S]] dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
// CHECK: %[[R:.*]] = fusion.reduce add %[[X]] dims = [1] fastmath<reassoc>
// CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK: %[[I:.*]] = arith.addf %[[Z]], %[[R]] fastmath<reassoc>
// CHECK: return %[[Q]], %[[I]]
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @sums(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%i, %i : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %out0: f32, %out1: f32):
    %m = arith.mulf %a, %a : f32
    %s = arith.addf %out0, %m : f32
    %t = arith.addf %a, %out1 fastmath<reassoc> : f32
    linalg.yield %s, %t : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Keep-dimension results, neutral inits, and an init that is an argument.
// CHECK-LABEL: func @maxima(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[A:.*]]: tensor<8xf32>
// CHECK: %[[R:.*]] = fusion.reduce maximumf %[[X]] dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
// CHECK-NEXT: %[[K:.*]] = fusion.broadcast %[[R]] dims = [0] : tensor<4xf32> -> tensor<4x1xf32>
// CHECK: %[[C:.*]] = fusion.reduce maximumf %[[X]] dims = [0]
// CHECK-NEXT: %[[M:.*]] = arith.maximumf %[[A]], %[[C]]
// CHECK: return %[[K]], %[[M]]
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @maxima(%x: tensor<4x8xf32>, %a: tensor<8xf32>) -> (tensor<4x1xf32>, tensor<8xf32>) {
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4x1xf32>
  %i = linalg.fill ins(%inf : f32) outs(%e : tensor<4x1xf32>) -> tensor<4x1xf32>
  %0 = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%i : tensor<4x1xf32>) {
  ^bb0(%b: f32, %out: f32):
    %m = arith.maximumf %b, %out : f32
    linalg.yield %m : f32
  } -> tensor<4x1xf32>
  %1 = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8xf32>) outs(%a : tensor<8xf32>) dimensions = [0]
  return %0, %1 : tensor<4x1xf32>, tensor<8xf32>
}

// -----

// The maximum of a maximum and its position, of which only the maximum is used.
// CHECK-LABEL: func @max_of_argmax
// CHECK: fusion.reduce maximumf
// CHECK-NOT: linalg
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @max_of_argmax(%x: tensor<4x8xf32>, %i: tensor<4xf32>, %p: tensor<4xi64>) -> tensor<4xf32> {
  %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%i, %p : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%a: f32, %out: f32, %at: i64):
    %k = linalg.index 1 : index
    %n = arith.index_cast %k : index to i64
    %m = arith.maximumf %a, %out : f32
    %c = arith.cmpf ogt, %a, %out : f32
    %s = arith.select %c, %n, %at : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %0#0 : tensor<4xf32>
}

// -----

// Two combinations of one element: it takes part twice. A body that widens its
// partial result accumulates in the wider type and rounds once.
// CHECK-LABEL: func @chains(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xbf16>, %[[A:.*]]: tensor<4xbf16>
// CHECK: %[[W:.*]] = arith.extf %[[X]] : tensor<4x8xbf16> to tensor<4x8xf32>
// CHECK: %[[R:.*]] = fusion.reduce add %[[W]] dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
// CHECK: %[[E:.*]] = arith.extf %[[A]] : tensor<4xbf16> to tensor<4xf32>
// CHECK: %[[S:.*]] = arith.addf %[[E]], %[[R]] : tensor<4xf32>
// CHECK: arith.truncf %[[S]] : tensor<4xf32> to tensor<4xbf16>
// CHECK: %[[P:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK: %[[Q:.*]] = fusion.reduce mul %[[P]] dims = [1]
// CHECK: arith.mulf %[[A]], %[[Q]]
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @chains(%x: tensor<4x8xbf16>, %a: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>) {
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xbf16>) outs(%a : tensor<4xbf16>) {
  ^bb0(%b: bf16, %out: bf16):
    %w = arith.extf %b : bf16 to f32
    %o = arith.extf %out : bf16 to f32
    %s = arith.addf %w, %o : f32
    %t = arith.truncf %s : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4xbf16>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xbf16>) outs(%a : tensor<4xbf16>) {
  ^bb0(%b: bf16, %out: bf16):
    %s = arith.mulf %out, %b : bf16
    %t = arith.mulf %s, %b : bf16
    linalg.yield %t : bf16
  } -> tensor<4xbf16>
  return %0, %1 : tensor<4xbf16>, tensor<4xbf16>
}

// -----

// Named operations are their bodies.
// CHECK-LABEL: func @named(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[V:.*]]: tensor<8xf32>, %[[S:.*]]: f32
// CHECK-DAG: %[[B:.*]] = fusion.broadcast %[[V]] dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
// CHECK-DAG: arith.addf %[[X]], %[[B]]
// CHECK-DAG: arith.negf
// CHECK-DAG: fusion.transpose {{.*}} permutation = [1, 0]
// CHECK-DAG: tensor.splat %[[S]] : tensor<8x4xf32>
// CHECK-NOT: linalg
func.func @named(%x: tensor<4x8xf32>, %v: tensor<8xf32>, %s: f32) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %et = tensor.empty() : tensor<8x4xf32>
  %b = linalg.broadcast ins(%v : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %a = linalg.add ins(%x, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %n = linalg.elementwise kind=#linalg.elementwise_kind<negf> ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %t = linalg.transpose ins(%n : tensor<4x8xf32>) outs(%et : tensor<8x4xf32>) permutation = [1, 0]
  %f = linalg.fill ins(%s : f32) outs(%et : tensor<8x4xf32>) -> tensor<8x4xf32>
  %m = linalg.map { arith.mulf } ins(%t, %f : tensor<8x4xf32>, tensor<8x4xf32>) outs(%et : tensor<8x4xf32>)
  return %m : tensor<8x4xf32>
}

// -----

// CHECK-LABEL: func @softmax
// CHECK: fusion.reduce max
// CHECK: arith.subf
// CHECK: math.exp
// CHECK: fusion.reduce add
// CHECK: arith.divf
// CHECK-NOT: linalg
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Positions: index is i64.
// CHECK-LABEL: func @positions
// CHECK-DAG: %[[I:.*]] = fusion.iota : tensor<4xi64>
// CHECK-DAG: %[[J:.*]] = fusion.iota : tensor<8xi64>
// CHECK-DAG: %[[IB:.*]] = fusion.broadcast %[[I]] dims = [0]
// CHECK-DAG: %[[JB:.*]] = fusion.broadcast %[[J]] dims = [1]
// CHECK: arith.cmpi ule, %[[JB]], %[[IB]] : tensor<4x8xi64>
// CHECK: arith.select
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @positions(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ule, %j, %i : index
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// A constant of another precision is rounded as the operation would.
// CHECK-LABEL: func @constants
// CHECK: arith.constant dense<9.99999974E-6> : tensor<4xf32>
// CHECK-NOT: truncf
#id = affine_map<(d0) -> (d0)>
func.func @constants(%x: tensor<4xf32>) -> tensor<4xf32> {
  %eps = arith.constant 1.0e-5 : f64
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %t = arith.truncf %eps : f64 to f32
    %s = arith.addf %a, %t : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Dynamic extents stay; a static one of any operand refines the others.
// CHECK-LABEL: func @dynamic(
// CHECK-SAME: %[[X:.*]]: tensor<?x8xf32>, %[[V:.*]]: tensor<?xf32>, %{{.*}}: tensor<?xf32>)
// CHECK-DAG: %[[C:.*]] = tensor.cast %[[V]] : tensor<?xf32> to tensor<8xf32>
// CHECK-DAG: %[[D:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: fusion.broadcast %[[C]][%[[D]]] dims = [1] : tensor<8xf32> -> tensor<?x8xf32>
// CHECK: %[[R:.*]] = fusion.reduce mul {{.*}} dims = [1] : tensor<?x8xf32> -> tensor<?xf32>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @dynamic(%x: tensor<?x8xf32>, %v: tensor<?xf32>, %i: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x, %v : tensor<?x8xf32>, tensor<?xf32>) outs(%i : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.subf %a, %b : f32
    %m = arith.mulf %s, %out : f32
    linalg.yield %m : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// A maximum over no elements is -inf, so -inf needs no combination; the product
// over a dynamic extent starts at its init of 1; the least number is no neutral
// element of maxima of infinities.
// CHECK-LABEL: func @neutral
// CHECK: fusion.reduce mul
// CHECK-NOT: arith.mulf
// CHECK: fusion.reduce maximumf
// CHECK: arith.maximumf
func.func @neutral(%x: tensor<4x?xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %least = arith.constant dense<0xFF7FFFFF> : tensor<4xf32>
  %0 = linalg.reduce { arith.mulf } ins(%x : tensor<4x?xf32>) outs(%one : tensor<4xf32>) dimensions = [1]
  %1 = linalg.reduce { arith.maximumf } ins(%x : tensor<4x?xf32>) outs(%least : tensor<4xf32>) dimensions = [1]
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// An extent that is 1 by accident never grows: neither a dynamic one, nor the
// real 1 of a loop that the other operands walk along too.
// SIMPLE-LABEL: func @units(
// SIMPLE-SAME: %[[X:.*]]: tensor<?x1xf32>
// SIMPLE: tensor.expand_shape {{.*}} tensor<?xf32> into tensor<?x?xf32>
// SIMPLE: arith.addf %{{.*}}, %{{.*}} : tensor<?x1xf32>
func.func @units(%x: tensor<?x1xf32>, %n: index, %m: index) -> (tensor<?x1xf32>, tensor<?x?xf32>) {
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<?x1xf32> into tensor<?xf32>
  %k = tensor.expand_shape %c [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
  %d = tensor.expand_shape %c [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>
  %0 = linalg.add ins(%x, %k : tensor<?x1xf32>, tensor<?x1xf32>) outs(%x : tensor<?x1xf32>) -> tensor<?x1xf32>
  return %0, %d : tensor<?x1xf32>, tensor<?x?xf32>
}

// -----

// Globals that keep their value, and resources, are constants.
// CHECK-NOT: ml_program.global
// CHECK-LABEL: func @globals
// CHECK-DAG: arith.constant dense<3> : tensor<i64>
// CHECK-DAG: arith.constant dense<1.000000e+00> : tensor<2xf32>
// CHECK-DAG: arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
ml_program.global private mutable @seed(dense<3> : tensor<i64>) : tensor<i64>
func.func @globals() -> (tensor<i64>, tensor<2xf32>, tensor<2xf32>) {
  %0 = ml_program.global_load @seed : tensor<i64>
  %1 = arith.constant dense_resource<ones> : tensor<2xf32>
  %2 = arith.constant dense_resource<two> : tensor<2xf32>
  return %0, %1, %2 : tensor<i64>, tensor<2xf32>, tensor<2xf32>
}
{-#
  dialect_resources: {
    builtin: {
      ones: "0x040000000000803F0000803F",
      two: "0x040000000000803F00000040"
    }
  }
#-}

// -----

// CHECK: ml_program.global
// CHECK-LABEL: func @stored
// CHECK: ml_program.global_load @state
ml_program.global private mutable @state(dense<3> : tensor<i64>) : tensor<i64>
func.func @stored(%x: tensor<i64>) -> tensor<i64> {
  ml_program.global_store @state = %x : tensor<i64>
  %0 = ml_program.global_load @state : tensor<i64>
  return %0 : tensor<i64>
}

// A pad is a slice of a splat.
// CHECK-LABEL: func @pads
// CHECK-SAME: (%[[X:[^ :]+]]: tensor<4x8xf32>, %[[Y:[^ :]+]]: tensor<?x8xf32>, %[[V:[^ :]+]]: f32)
// CHECK-DAG: %[[A:.*]] = arith.constant dense<1.000000e+00> : tensor<7x9xf32>
// CHECK-DAG: %[[P:.*]] = tensor.insert_slice %[[X]] into %[[A]][1, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<7x9xf32>
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[Y]], %{{.*}} : tensor<?x8xf32>
// CHECK-DAG: %[[M:.*]] = arith.addi %[[N]], %{{.*}} : index
// CHECK-DAG: %[[B:.*]] = tensor.splat %[[V]][%[[M]]] : tensor<?x8xf32>
// CHECK: %[[Q:.*]] = tensor.insert_slice %[[Y]] into %[[B]][3, 0] [%{{.*}}, 8] [1, 1] : tensor<?x8xf32> into tensor<?x8xf32>
// CHECK: return %[[P]], %[[Q]]
func.func @pads(%x: tensor<4x8xf32>, %y: tensor<?x8xf32>, %v: f32) -> (tensor<7x9xf32>, tensor<?x8xf32>) {
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %x low[1, 0] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<4x8xf32> to tensor<7x9xf32>
  %q = tensor.pad %y low[3, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x8xf32> to tensor<?x8xf32>
  return %p, %q : tensor<7x9xf32>, tensor<?x8xf32>
}

// Every operation prints what it parses: in its own syntax, in the generic one,
// and through bytecode.
// RUN: fusion-opt %s | fusion-opt | FileCheck %s
// RUN: fusion-opt %s -mlir-print-op-generic | fusion-opt | FileCheck %s
// RUN: fusion-opt %s -emit-bytecode | fusion-opt | FileCheck %s
// RUN: fusion-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func @broadcast
// CHECK-SAME: (%[[V:.*]]: tensor<8xf32>, %[[U:.*]]: tensor<1x?xf32>, %[[S:.*]]: tensor<f32>, %[[M:.*]]: index, %[[N:.*]]: index)
func.func @broadcast(%v: tensor<8xf32>, %u: tensor<1x?xf32>, %s: tensor<f32>, %m: index, %n: index) {
  // New dimensions, before and after.
  // CHECK: fusion.broadcast %[[V]] dims = [1] : tensor<8xf32> -> tensor<4x8x2xf32>
  %0 = fusion.broadcast %v dims = [1] : tensor<8xf32> -> tensor<4x8x2xf32>
  // A new dynamic extent has an index operand.
  // CHECK: fusion.broadcast %[[V]][%[[M]]] dims = [1] : tensor<8xf32> -> tensor<?x8xf32>
  %1 = fusion.broadcast %v [%m] dims = [1] : tensor<8xf32> -> tensor<?x8xf32>
  // So has one that grows from 1; a mapped `?` has none.
  // CHECK: fusion.broadcast %[[U]][%[[M]], %[[N]]] dims = [0, 1] : tensor<1x?xf32> -> tensor<?x?x?xf32>
  %2 = fusion.broadcast %u [%m, %n] dims = [0, 1] : tensor<1x?xf32> -> tensor<?x?x?xf32>
  // A unit dimension may stay, grow, or become empty.
  // CHECK: fusion.broadcast %[[U]] dims = [0, 1] : tensor<1x?xf32> -> tensor<1x?xf32>
  %3 = fusion.broadcast %u dims = [0, 1] : tensor<1x?xf32> -> tensor<1x?xf32>
  // CHECK: fusion.broadcast %[[U]] dims = [0, 2] : tensor<1x?xf32> -> tensor<7x3x?xf32>
  %4 = fusion.broadcast %u dims = [0, 2] : tensor<1x?xf32> -> tensor<7x3x?xf32>
  // CHECK: fusion.broadcast %[[U]] dims = [0, 1] : tensor<1x?xf32> -> tensor<0x?xf32>
  %5 = fusion.broadcast %u dims = [0, 1] : tensor<1x?xf32> -> tensor<0x?xf32>
  // Rank 0.
  // CHECK: fusion.broadcast %[[S]] dims = [] : tensor<f32> -> tensor<4x8xf32>
  %6 = fusion.broadcast %s dims = [] : tensor<f32> -> tensor<4x8xf32>
  // CHECK: fusion.broadcast %[[S]] dims = [] : tensor<f32> -> tensor<f32>
  %7 = fusion.broadcast %s dims = [] : tensor<f32> -> tensor<f32>
  // CHECK: fusion.broadcast %[[S]] dims = [] {note = 1 : i32} : tensor<f32> -> tensor<4xf32>
  %8 = fusion.broadcast %s dims = [] {note = 1 : i32} : tensor<f32> -> tensor<4xf32>
  return
}

// CHECK-LABEL: func @squeeze
// CHECK-SAME: (%[[X:.*]]: tensor<1x?x1xf32>, %[[U:.*]]: tensor<1xf32>)
func.func @squeeze(%x: tensor<1x?x1xf32>, %u: tensor<1xf32>) {
  // CHECK: fusion.squeeze %[[X]] dims = [0, 2] : tensor<1x?x1xf32> -> tensor<?xf32>
  %0 = fusion.squeeze %x dims = [0, 2] : tensor<1x?x1xf32> -> tensor<?xf32>
  // CHECK: fusion.squeeze %[[X]] dims = [] : tensor<1x?x1xf32> -> tensor<1x?x1xf32>
  %1 = fusion.squeeze %x dims = [] : tensor<1x?x1xf32> -> tensor<1x?x1xf32>
  // CHECK: fusion.squeeze %[[U]] dims = [0] {note} : tensor<1xf32> -> tensor<f32>
  %2 = fusion.squeeze %u dims = [0] {note} : tensor<1xf32> -> tensor<f32>
  return
}

// CHECK-LABEL: func @transpose
// CHECK-SAME: (%[[X:.*]]: tensor<2x?x0xf32>, %[[S:.*]]: tensor<f32>)
func.func @transpose(%x: tensor<2x?x0xf32>, %s: tensor<f32>) {
  // CHECK: fusion.transpose %[[X]] permutation = [2, 0, 1] : tensor<2x?x0xf32> -> tensor<0x2x?xf32>
  %0 = fusion.transpose %x permutation = [2, 0, 1] : tensor<2x?x0xf32> -> tensor<0x2x?xf32>
  // CHECK: fusion.transpose %[[S]] permutation = [] {note} : tensor<f32> -> tensor<f32>
  %1 = fusion.transpose %s permutation = [] {note} : tensor<f32> -> tensor<f32>
  return
}

// CHECK-LABEL: func @reduce_floats
// CHECK-SAME: (%[[X:.*]]: tensor<2x?x4xf32>, %[[S:.*]]: tensor<f32>, %[[E:.*]]: tensor<0xf32>)
func.func @reduce_floats(%x: tensor<2x?x4xf32>, %s: tensor<f32>, %e: tensor<0xf32>) {
  // CHECK: fusion.reduce add %[[X]] dims = [0, 2] : tensor<2x?x4xf32> -> tensor<?xf32>
  %0 = fusion.reduce add %x dims = [0, 2] : tensor<2x?x4xf32> -> tensor<?xf32>
  // CHECK: fusion.reduce mul %[[X]] dims = [1] : tensor<2x?x4xf32> -> tensor<2x4xf32>
  %1 = fusion.reduce mul %x dims = [1] : tensor<2x?x4xf32> -> tensor<2x4xf32>
  // CHECK: fusion.reduce minimumf %[[X]] dims = [0, 1, 2] : tensor<2x?x4xf32> -> tensor<f32>
  %2 = fusion.reduce minimumf %x dims = [0, 1, 2] : tensor<2x?x4xf32> -> tensor<f32>
  // CHECK: fusion.reduce maximumf %[[S]] dims = [] : tensor<f32> -> tensor<f32>
  %3 = fusion.reduce maximumf %s dims = [] : tensor<f32> -> tensor<f32>
  // CHECK: fusion.reduce minnumf %[[E]] dims = [0] : tensor<0xf32> -> tensor<f32>
  %4 = fusion.reduce minnumf %e dims = [0] : tensor<0xf32> -> tensor<f32>
  // CHECK: fusion.reduce maxnumf %[[X]] dims = [] : tensor<2x?x4xf32> -> tensor<2x?x4xf32>
  %5 = fusion.reduce maxnumf %x dims = [] : tensor<2x?x4xf32> -> tensor<2x?x4xf32>
  // CHECK: fusion.reduce add %[[X]] dims = [1] fastmath<reassoc,contract> {note} : tensor<2x?x4xf32> -> tensor<2x4xf64>
  %6 = fusion.reduce add %x dims = [1] fastmath<reassoc,contract> {note} : tensor<2x?x4xf32> -> tensor<2x4xf64>
  // The default flags are not printed.
  // CHECK: fusion.reduce add %[[X]] dims = [1] : tensor<2x?x4xf32> -> tensor<2x4xf32>
  %7 = fusion.reduce add %x dims = [1] fastmath<none> : tensor<2x?x4xf32> -> tensor<2x4xf32>
  return
}

// CHECK-LABEL: func @reduce_integers
func.func @reduce_integers(%x: tensor<4xi32>, %b: tensor<4xi1>) {
  // CHECK: fusion.reduce add
  %0 = fusion.reduce add %x dims = [0] : tensor<4xi32> -> tensor<i32>
  // CHECK: fusion.reduce mul
  %1 = fusion.reduce mul %x dims = [0] : tensor<4xi32> -> tensor<i32>
  // CHECK: fusion.reduce minsi
  %2 = fusion.reduce minsi %x dims = [0] : tensor<4xi32> -> tensor<i32>
  // CHECK: fusion.reduce minui
  %3 = fusion.reduce minui %x dims = [0] : tensor<4xi32> -> tensor<i32>
  // CHECK: fusion.reduce maxsi
  %4 = fusion.reduce maxsi %x dims = [0] : tensor<4xi32> -> tensor<i32>
  // CHECK: fusion.reduce maxui
  %5 = fusion.reduce maxui %x dims = [0] : tensor<4xi32> -> tensor<i32>
  // CHECK: fusion.reduce and {{.*}} : tensor<4xi1> -> tensor<i1>
  %6 = fusion.reduce and %b dims = [0] : tensor<4xi1> -> tensor<i1>
  // CHECK: fusion.reduce or {{.*}} : tensor<4xi1> -> tensor<i1>
  %7 = fusion.reduce or %b dims = [0] : tensor<4xi1> -> tensor<i1>
  // CHECK: fusion.reduce xor
  %8 = fusion.reduce xor %x dims = [0] : tensor<4xi32> -> tensor<i32>
  return
}

// CHECK-LABEL: func @element_types
func.func @element_types(%f16: tensor<4xf16>, %bf16: tensor<4xbf16>, %f64: tensor<4xf64>, %e4: tensor<4xf8E4M3FN>, %e5: tensor<4xf8E5M2>, %i8: tensor<4xi8>, %i16: tensor<4xi16>, %i64: tensor<4xi64>) {
  // CHECK: tensor<4xf16> -> tensor<f32>
  %0 = fusion.reduce add %f16 dims = [0] : tensor<4xf16> -> tensor<f32>
  // CHECK: tensor<4xbf16> -> tensor<bf16>
  %1 = fusion.reduce add %bf16 dims = [0] : tensor<4xbf16> -> tensor<bf16>
  // CHECK: tensor<4xf64> -> tensor<f64>
  %2 = fusion.reduce add %f64 dims = [0] : tensor<4xf64> -> tensor<f64>
  // CHECK: tensor<4xf8E4M3FN> -> tensor<bf16>
  %3 = fusion.reduce add %e4 dims = [0] : tensor<4xf8E4M3FN> -> tensor<bf16>
  // CHECK: tensor<4xf8E5M2> -> tensor<f8E5M2>
  %4 = fusion.reduce add %e5 dims = [0] : tensor<4xf8E5M2> -> tensor<f8E5M2>
  // CHECK: tensor<4xi8> -> tensor<i8>
  %5 = fusion.reduce add %i8 dims = [0] : tensor<4xi8> -> tensor<i8>
  // CHECK: tensor<4xi16> -> tensor<i16>
  %6 = fusion.reduce add %i16 dims = [0] : tensor<4xi16> -> tensor<i16>
  // CHECK: tensor<4xi64> -> tensor<i64>
  %7 = fusion.reduce add %i64 dims = [0] : tensor<4xi64> -> tensor<i64>
  return
}

// CHECK-LABEL: func @segment
// CHECK-SAME: (%[[X:.*]]: tensor<?x8xf32>, %[[F:.*]]: f32, %[[M:.*]]: index)
func.func @segment(%x: tensor<?x8xf32>, %f: f32, %m: index) -> tensor<8xf32> {
  // Operands may be scalars and extents; attributes follow the types.
  // CHECK: fusion.segment "pointwise" (%[[A:.*]] = %[[X]] : tensor<?x8xf32>, %[[B:.*]] = %[[F]] : f32, %[[C:.*]] = %[[M]] : index) -> (tensor<?x8xf32>) attributes {note} {
  // CHECK-NEXT: tensor.splat %[[B]][%[[C]]] : tensor<?x8xf32>
  // CHECK-NEXT: arith.addf %[[A]]
  // CHECK-NEXT: fusion.yield %{{.*}} : tensor<?x8xf32>
  %0 = fusion.segment "pointwise" (%a = %x : tensor<?x8xf32>, %b = %f : f32, %c = %m : index) -> (tensor<?x8xf32>) attributes {note} {
    %1 = tensor.splat %b[%c] : tensor<?x8xf32>
    %2 = arith.addf %a, %1 : tensor<?x8xf32>
    fusion.yield %2 : tensor<?x8xf32>
  }
  // CHECK: fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<blocks = 132, threads = 512, groups = 1, rows = 1, width = 4, vectors = 5, loader = async_copy, stages = 2, keep = registers, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056> (
  // CHECK-NEXT: fusion.reduce
  // CHECK-NEXT: fusion.yield
  %3 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<blocks = 132, threads = 512, groups = 1, rows = 1, width = 4, vectors = 5, loader = async_copy, stages = 2, keep = registers, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056> (%a = %0 : tensor<?x8xf32>) -> (tensor<8xf32>) {
    %4 = fusion.reduce add %a dims = [0] : tensor<?x8xf32> -> tensor<8xf32>
    fusion.yield %4 : tensor<8xf32>
  }
  // Nothing in, nothing out, and the terminator left out.
  // CHECK: fusion.segment "empty" () -> () {
  // CHECK-NEXT: fusion.yield{{$}}
  fusion.segment "empty" () -> () {
  }
  return %3 : tensor<8xf32>
}

// CHECK-LABEL: func @iota
// CHECK-SAME: (%[[N:.*]]: index)
func.func @iota(%n: index) {
  // CHECK: fusion.iota : tensor<8xi64>
  %0 = fusion.iota : tensor<8xi64>
  // CHECK: fusion.iota[%[[N]]] {note} : tensor<?xi8>
  %1 = fusion.iota [%n] {note} : tensor<?xi8>
  // CHECK: fusion.iota : tensor<0xi16>
  %2 = fusion.iota : tensor<0xi16>
  return
}

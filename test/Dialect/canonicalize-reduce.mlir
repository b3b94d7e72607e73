// Folders and canonicalisation of reductions and segments.
// RUN: fusion-opt %s -split-input-file -canonicalize | FileCheck %s
// RUN: fusion-opt %s -split-input-file -canonicalize -cse | FileCheck %s --check-prefix=CSE

// CHECK-LABEL: func @reduce_nothing
// CHECK-SAME: (%[[X:.*]]: tensor<4x?xf32>)
// CHECK-NEXT: return %[[X]]
func.func @reduce_nothing(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = fusion.reduce mul %x dims = [] : tensor<4x?xf32> -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// CHECK-LABEL: func @reduce_nothing_widens
// CHECK-SAME: (%[[X:.*]]: tensor<4xf8E5M2>)
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[X]] : tensor<4xf8E5M2> to tensor<4xf16>
// CHECK-NEXT: return %[[W]]
func.func @reduce_nothing_widens(%x: tensor<4xf8E5M2>) -> tensor<4xf16> {
  %0 = fusion.reduce maxnumf %x dims = [] : tensor<4xf8E5M2> -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// Dropping a unit dimension is exact, whatever the kind.
// CHECK-LABEL: func @reduce_unit_dims
// CHECK-SAME: (%[[X:.*]]: tensor<1x8x1x?xf32>)
// CHECK-NEXT: %[[S:.*]] = fusion.squeeze %[[X]] dims = [0, 2] : tensor<1x8x1x?xf32> -> tensor<8x?xf32>
// CHECK-NEXT: %[[R:.*]] = fusion.reduce add %[[S]] dims = [1] fastmath<reassoc> : tensor<8x?xf32> -> tensor<8xf64>
// CHECK-NEXT: return %[[R]]
func.func @reduce_unit_dims(%x: tensor<1x8x1x?xf32>) -> tensor<8xf64> {
  %0 = fusion.reduce add %x dims = [0, 2, 3] fastmath<reassoc> : tensor<1x8x1x?xf32> -> tensor<8xf64>
  return %0 : tensor<8xf64>
}

// CHECK-LABEL: func @reduce_only_unit_dims
// CHECK-SAME: (%[[X:.*]]: tensor<?x1xbf16>)
// CHECK-NEXT: %[[S:.*]] = fusion.squeeze %[[X]] dims = [1] : tensor<?x1xbf16> -> tensor<?xbf16>
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[S]] : tensor<?xbf16> to tensor<?xf32>
// CHECK-NEXT: return %[[W]]
func.func @reduce_only_unit_dims(%x: tensor<?x1xbf16>) -> tensor<?xf32> {
  %0 = fusion.reduce add %x dims = [1] : tensor<?x1xbf16> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// A kept unit dimension stays, and so does a dynamic one that might be 1.
// CHECK-LABEL: func @reduce_keeps_unit_dim
// CHECK-NEXT: fusion.reduce add %{{.*}} dims = [1] : tensor<1x?xf32> -> tensor<1xf32>
func.func @reduce_keeps_unit_dim(%x: tensor<1x?xf32>) -> tensor<1xf32> {
  %0 = fusion.reduce add %x dims = [1] : tensor<1x?xf32> -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// The value over no elements: +0 for a sum, unlike its neutral element.
// CHECK-LABEL: func @reduce_empty_floats
// CHECK-DAG: %[[ADD:.*]] = arith.constant dense<0.000000e+00> : tensor<3xf32>
// CHECK-DAG: %[[MUL:.*]] = arith.constant dense<1.000000e+00> : tensor<3xf32>
// CHECK-DAG: %[[MIN:.*]] = arith.constant dense<0x7F800000> : tensor<3xf32>
// CHECK-DAG: %[[MAX:.*]] = arith.constant dense<0xFF800000> : tensor<3xf32>
// CHECK-DAG: %[[NAN:.*]] = arith.constant dense<0x7FC00000> : tensor<3xf32>
// CHECK: return %[[ADD]], %[[MUL]], %[[MIN]], %[[MAX]], %[[NAN]], %[[NAN]]
// CSE-LABEL: func @reduce_empty_floats
func.func @reduce_empty_floats(%x: tensor<3x0xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = fusion.reduce add %x dims = [1] : tensor<3x0xf32> -> tensor<3xf32>
  %1 = fusion.reduce mul %x dims = [1] : tensor<3x0xf32> -> tensor<3xf32>
  %2 = fusion.reduce minimumf %x dims = [1] : tensor<3x0xf32> -> tensor<3xf32>
  %3 = fusion.reduce maximumf %x dims = [1] : tensor<3x0xf32> -> tensor<3xf32>
  %4 = fusion.reduce minnumf %x dims = [1] : tensor<3x0xf32> -> tensor<3xf32>
  %5 = fusion.reduce maxnumf %x dims = [1] : tensor<3x0xf32> -> tensor<3xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// f8E4M3FN has no infinity: NaN, with its sign.
// CHECK-LABEL: func @reduce_empty_f8
// CHECK-DAG: %[[MIN:.*]] = arith.constant dense<0x7F> : tensor<f8E4M3FN>
// CHECK-DAG: %[[MAX:.*]] = arith.constant dense<0xFF> : tensor<f8E4M3FN>
// CHECK-DAG: %[[INF:.*]] = arith.constant dense<0xFC> : tensor<f8E5M2>
// CHECK: return %[[MIN]], %[[MAX]], %[[INF]]
func.func @reduce_empty_f8(%x: tensor<0xf8E4M3FN>, %y: tensor<0xf8E5M2>) -> (tensor<f8E4M3FN>, tensor<f8E4M3FN>, tensor<f8E5M2>) {
  %0 = fusion.reduce minimumf %x dims = [0] : tensor<0xf8E4M3FN> -> tensor<f8E4M3FN>
  %1 = fusion.reduce maximumf %x dims = [0] : tensor<0xf8E4M3FN> -> tensor<f8E4M3FN>
  %2 = fusion.reduce maximumf %y dims = [0] : tensor<0xf8E5M2> -> tensor<f8E5M2>
  return %0, %1, %2 : tensor<f8E4M3FN>, tensor<f8E4M3FN>, tensor<f8E5M2>
}

// CHECK-LABEL: func @reduce_empty_integers
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0> : tensor<i8>
// CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1> : tensor<i8>
// CHECK-DAG: %[[ONES:.*]] = arith.constant dense<-1> : tensor<i8>
// CHECK-DAG: %[[MOST:.*]] = arith.constant dense<127> : tensor<i8>
// CHECK-DAG: %[[LEAST:.*]] = arith.constant dense<-128> : tensor<i8>
// CHECK: return %[[ZERO]], %[[ONE]], %[[MOST]], %[[ONES]], %[[LEAST]], %[[ZERO]], %[[ONES]], %[[ZERO]], %[[ZERO]] :
func.func @reduce_empty_integers(%x: tensor<0xi8>) -> (tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>) {
  %0 = fusion.reduce add %x dims = [0] : tensor<0xi8> -> tensor<i8>
  %1 = fusion.reduce mul %x dims = [0] : tensor<0xi8> -> tensor<i8>
  %2 = fusion.reduce minsi %x dims = [0] : tensor<0xi8> -> tensor<i8>
  %3 = fusion.reduce minui %x dims = [0] : tensor<0xi8> -> tensor<i8>
  %4 = fusion.reduce maxsi %x dims = [0] : tensor<0xi8> -> tensor<i8>
  %5 = fusion.reduce maxui %x dims = [0] : tensor<0xi8> -> tensor<i8>
  %6 = fusion.reduce and %x dims = [0] : tensor<0xi8> -> tensor<i8>
  %7 = fusion.reduce or %x dims = [0] : tensor<0xi8> -> tensor<i8>
  %8 = fusion.reduce xor %x dims = [0] : tensor<0xi8> -> tensor<i8>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>
}

// A kept empty dimension, a dynamic result, a dynamic reduced one: no fold.
// CHECK-LABEL: func @reduce_empty_stays
// CHECK-COUNT-3: fusion.reduce add
func.func @reduce_empty_stays(%x: tensor<0x4xf32>, %y: tensor<0x?xf32>, %z: tensor<?x4xf32>) -> (tensor<0xf32>, tensor<?xf32>, tensor<4xf32>) {
  %0 = fusion.reduce add %x dims = [1] : tensor<0x4xf32> -> tensor<0xf32>
  %1 = fusion.reduce add %y dims = [0] : tensor<0x?xf32> -> tensor<?xf32>
  %2 = fusion.reduce add %z dims = [0] : tensor<?x4xf32> -> tensor<4xf32>
  return %0, %1, %2 : tensor<0xf32>, tensor<?xf32>, tensor<4xf32>
}

// -----

// Unused results and operands go; a value bound twice is bound once; attributes
// of the user stay.
// CHECK-LABEL: func @segment_drops
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[S:.*]] = fusion.segment "s" (%[[A:.*]] = %[[X]] : tensor<4xf32>) -> (tensor<4xf32>) attributes {note = 1 : i32} {
// CHECK-NEXT: %[[V:.*]] = arith.addf %[[A]], %[[A]]
// CHECK-NEXT: fusion.yield %[[V]] : tensor<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[S]]
func.func @segment_drops(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = fusion.segment "s" (%a = %x : tensor<4xf32>, %b = %x : tensor<4xf32>, %c = %y : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {note = 1 : i32} {
    %1 = arith.mulf %a, %c : tensor<4xf32>
    %2 = arith.addf %a, %b : tensor<4xf32>
    fusion.yield %1, %2 : tensor<4xf32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// CHECK-LABEL: func @segment_unused
// CHECK-NEXT: return
func.func @segment_unused(%x: tensor<4xf32>) {
  %0 = fusion.segment "s" (%a = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    fusion.yield %a : tensor<4xf32>
  }
  return
}

// A schedule counts the values of its segment: nothing changes any more.
// CHECK-LABEL: func @segment_scheduled
// CHECK-SAME: (%[[X:.*]]: tensor<4x32xf32>)
// CHECK-NEXT: %[[S:.*]]:2 = fusion.segment {{.*}} (%{{.*}} = %[[X]] : tensor<4x32xf32>, %{{.*}} = %[[X]] : tensor<4x32xf32>) -> (tensor<4xf32>, tensor<32xf32>)
#schedule = #fusion.inner_outer<blocks = 1, threads = 32, groups = 1, rows = 1, width = 1, vectors = 1, loader = direct, stages = 1, keep = registers, params = registers, finish_blocks = 1, finish_threads = 32, shared_bytes = 0>
func.func @segment_scheduled(%x: tensor<4x32xf32>) -> tensor<4xf32> {
  %0:2 = fusion.segment "inner-outer-persistent" schedule = #schedule (%a = %x : tensor<4x32xf32>, %b = %x : tensor<4x32xf32>) -> (tensor<4xf32>, tensor<32xf32>) {
    %1 = fusion.reduce add %a dims = [1] : tensor<4x32xf32> -> tensor<4xf32>
    %2 = fusion.reduce add %b dims = [0] : tensor<4x32xf32> -> tensor<32xf32>
    fusion.yield %1, %2 : tensor<4xf32>, tensor<32xf32>
  }
  return %0#0 : tensor<4xf32>
}

// Equal segments are one; those of different schedulers are two.
// CSE-LABEL: func @segments_equal
// CSE: %[[S:.*]] = fusion.segment "s"
// CSE: %[[T:.*]] = fusion.segment "t"
// CSE-NOT: fusion.segment
// CSE: return %[[S]], %[[S]], %[[T]]
func.func @segments_equal(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = fusion.segment "s" (%a = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    %3 = arith.negf %a : tensor<4xf32>
    fusion.yield %3 : tensor<4xf32>
  }
  %1 = fusion.segment "s" (%a = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    %3 = arith.negf %a : tensor<4xf32>
    fusion.yield %3 : tensor<4xf32>
  }
  %2 = fusion.segment "t" (%a = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    %3 = arith.negf %a : tensor<4xf32>
    fusion.yield %3 : tensor<4xf32>
  }
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Minima and maxima through operations that have an order only on a part of the
// numbers, through integers, and of products multiplied in another order.
// RUN: fusion-opt %s --fusion-reorder-reductions --remarks-filter='fusion-reorder-reductions' --remark-policy=all -verify-diagnostics -o %t
// RUN: FileCheck %s < %t

// The largest product of integers is b times the largest or the least: nsw says
// that none wraps.
// CHECK-LABEL: func.func @integer_product(
// CHECK-SAME: %[[X:.*]]: tensor<64x32xi32>, %[[B:.*]]: tensor<64x128xi32>)
// CHECK-DAG: %[[MAX:.*]] = fusion.reduce maxsi %[[X]] dims = [1] : tensor<64x32xi32> -> tensor<64xi32>
// CHECK-DAG: %[[MIN:.*]] = fusion.reduce minsi %[[X]] dims = [1] : tensor<64x32xi32> -> tensor<64xi32>
// CHECK-DAG: %[[MAXB:.*]] = fusion.broadcast %[[MAX]]
// CHECK-DAG: %[[MINB:.*]] = fusion.broadcast %[[MIN]]
// CHECK-DAG: %[[P:.*]] = arith.muli %[[MAXB]], %[[B]] : tensor<64x128xi32>
// CHECK-DAG: %[[Q:.*]] = arith.muli %[[MINB]], %[[B]] : tensor<64x128xi32>
// CHECK: arith.maxsi %[[P]], %[[Q]] : tensor<64x128xi32>
func.func @integer_product(%x: tensor<64x32xi32>, %b: tensor<64x128xi32>) -> tensor<64x128xi32> {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<64x32xi32> -> tensor<64x32x128xi32>
  %1 = fusion.broadcast %b dims = [0, 2] : tensor<64x128xi32> -> tensor<64x32x128xi32>
  %2 = arith.muli %0, %1 overflow<nsw> : tensor<64x32x128xi32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=74752, bytesBefore=73728, pointsAfter=10240, pointsBefore=262144, rules="corners, monotone"}}
  %3 = fusion.reduce maxsi %2 dims = [1] : tensor<64x32x128xi32> -> tensor<64x128xi32>
  return %3 : tensor<64x128xi32>
}

// CHECK-LABEL: func.func @unsigned_product(
// CHECK: %[[MIN:.*]] = fusion.reduce minui %{{.*}} dims = [1] : tensor<64x32xi32> -> tensor<64xi32>
// CHECK: arith.muli %[[MIN]], %{{.*}} : tensor<64xi32>
// CHECK-NEXT: return
func.func @unsigned_product(%x: tensor<64x32xi32>, %b: tensor<64xi32>) -> tensor<64xi32> {
  %0 = fusion.broadcast %b dims = [0] : tensor<64xi32> -> tensor<64x32xi32>
  %1 = arith.muli %x, %0 overflow<nuw> : tensor<64x32xi32>
  // expected-remark@+1 {{[Passed] reorder}}
  %2 = fusion.reduce minui %1 dims = [1] : tensor<64x32xi32> -> tensor<64xi32>
  return %2 : tensor<64xi32>
}

// CHECK-LABEL: func.func @product_may_wrap(
// CHECK: fusion.reduce maxsi %{{.*}} dims = [1] : tensor<64x32x128xi32> -> tensor<64x128xi32>
func.func @product_may_wrap(%x: tensor<64x32xi32>, %b: tensor<64x128xi32>) -> tensor<64x128xi32> {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<64x32xi32> -> tensor<64x32x128xi32>
  %1 = fusion.broadcast %b dims = [0, 2] : tensor<64x128xi32> -> tensor<64x32x128xi32>
  %2 = arith.muli %0, %1 overflow<nuw> : tensor<64x32x128xi32>
  // expected-remark@+1 {{Reason="needs nsw on 'arith.muli'"}}
  %3 = fusion.reduce maxsi %2 dims = [1] : tensor<64x32x128xi32> -> tensor<64x128xi32>
  return %3 : tensor<64x128xi32>
}

// 1 / (1 + exp(-x)): the divisor is a sum of an exponential and 1, so it has no
// sign and the quotient decreases; so do exp(-x) and -x.
// CHECK-LABEL: func.func @sigmoid(
// CHECK-SAME: %[[X:.*]]: tensor<64x32xf32>)
// CHECK: %[[M:.*]] = fusion.reduce maximumf %[[X]] dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK: arith.negf %[[M]] : tensor<64xf32>
// CHECK: math.exp %{{.*}} fastmath<afn> : tensor<64xf32>
// CHECK: arith.divf %{{.*}} : tensor<64xf32>
// CHECK-NEXT: return
func.func @sigmoid(%x: tensor<64x32xf32>) -> tensor<64xf32> {
  %one = arith.constant dense<1.0> : tensor<64x32xf32>
  %0 = arith.negf %x : tensor<64x32xf32>
  %1 = math.exp %0 fastmath<afn> : tensor<64x32xf32>
  %2 = arith.addf %1, %one fastmath<nnan> : tensor<64x32xf32>
  %3 = arith.divf %one, %2 fastmath<nnan> : tensor<64x32xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=8448, bytesBefore=8448, pointsAfter=2048, pointsBefore=2048, rules=monotone}}
  %4 = fusion.reduce maximumf %3 dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  return %4 : tensor<64xf32>
}

// b / x jumps from one infinity to the other at 0.
// CHECK-LABEL: func.func @divisor_with_sign(
// CHECK: fusion.reduce maximumf %{{.*}} dims = [1] : tensor<64x32x128xf32> -> tensor<64x128xf32>
func.func @divisor_with_sign(%x: tensor<64x32xf32>, %b: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
  %1 = fusion.broadcast %b dims = [0, 2] : tensor<64x128xf32> -> tensor<64x32x128xf32>
  %2 = arith.divf %1, %0 fastmath<nnan> : tensor<64x32x128xf32>
  // expected-remark@+1 {{Reason="needs an operand without sign on 'arith.divf'"}}
  %3 = fusion.reduce maximumf %2 dims = [1] : tensor<64x32x128xf32> -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}

// The sign of b decides whether the least or the largest divisor counts.
// CHECK-LABEL: func.func @divisor(
// CHECK-DAG: fusion.reduce minimumf %{{.*}} dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-DAG: fusion.reduce maximumf %{{.*}} dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK: arith.maximumf %{{.*}} : tensor<64x128xf32>
func.func @divisor(%x: tensor<64x32xf32>, %b: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %a = math.absf %x : tensor<64x32xf32>
  %0 = fusion.broadcast %a dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
  %1 = fusion.broadcast %b dims = [0, 2] : tensor<64x128xf32> -> tensor<64x32x128xf32>
  %2 = arith.divf %1, %0 fastmath<nnan> : tensor<64x32x128xf32>
  // expected-remark@+1 {{rules="corners, monotone"}}
  %3 = fusion.reduce maximumf %2 dims = [1] : tensor<64x32x128xf32> -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}

// Too large a number becomes NaN, which maxnumf passes over.
// CHECK-LABEL: func.func @number_in_f8(
// CHECK: fusion.reduce maxnumf %{{.*}} : tensor<64x32xf8E4M3FN> -> tensor<64xf8E4M3FN>
// CHECK-NEXT: return
func.func @number_in_f8(%x: tensor<64x32xf32>) -> tensor<64xf8E4M3FN> {
  %a = math.absf %x : tensor<64x32xf32>
  %0 = arith.truncf %a : tensor<64x32xf32> to tensor<64x32xf8E4M3FN>
  // expected-remark@+1 {{Reason="needs a type with infinities on 'arith.truncf'"}}
  %1 = fusion.reduce maxnumf %0 dims = [1] : tensor<64x32xf8E4M3FN> -> tensor<64xf8E4M3FN>
  return %1 : tensor<64xf8E4M3FN>
}

// CHECK-LABEL: func.func @reciprocal_root(
// CHECK: %[[M:.*]] = fusion.reduce minimumf %{{.*}} dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: math.rsqrt %[[M]] fastmath<afn> : tensor<64xf32>
func.func @reciprocal_root(%x: tensor<64x32xf32>) -> tensor<64xf32> {
  %a = math.absf %x : tensor<64x32xf32>
  %0 = math.rsqrt %a fastmath<afn> : tensor<64x32xf32>
  // expected-remark@+1 {{rules=monotone}}
  %1 = fusion.reduce maximumf %0 dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// CHECK-LABEL: func.func @reciprocal_root_without_facts(
// CHECK: math.rsqrt %{{.*}} : tensor<64x32xf32>
func.func @reciprocal_root_without_facts(%x: tensor<64x32xf32>) -> tensor<64xf32> {
  %0 = math.rsqrt %x : tensor<64x32xf32>
  // expected-remark@+1 {{Reason="needs afn on 'math.rsqrt', an operand without sign on 'math.rsqrt'"}}
  %1 = fusion.reduce maximumf %0 dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// The largest magnitude of an RMS norm: |x gamma| need not wait for the sum of
// squares, so that one pass over x does both.
// CHECK-LABEL: func.func @norm_amax(
// CHECK: %[[R:.*]] = math.rsqrt
// CHECK: %[[P:.*]] = arith.mulf %{{.*}} fastmath<reassoc> : tensor<64x32xf32>
// CHECK-NEXT: %[[M:.*]] = fusion.reduce maximumf %[[P]] dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: arith.mulf %[[M]], %[[R]] fastmath<reassoc> : tensor<64xf32>
// CHECK-NEXT: return
func.func @norm_amax(%x: tensor<64x32xf32>, %gamma: tensor<32xf32>) -> tensor<64xf32> {
  %0 = arith.mulf %x, %x : tensor<64x32xf32>
  %1 = fusion.reduce add %0 dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  %2 = math.rsqrt %1 : tensor<64xf32>
  %3 = fusion.broadcast %2 dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %4 = fusion.broadcast %gamma dims = [1] : tensor<32xf32> -> tensor<64x32xf32>
  %5 = arith.mulf %x, %3 fastmath<reassoc,nnan> : tensor<64x32xf32>
  %6 = arith.mulf %5, %4 fastmath<reassoc,ninf> : tensor<64x32xf32>
  %7 = math.absf %6 : tensor<64x32xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=16768, bytesBefore=16768, pointsAfter=4096, pointsBefore=4096, rules=regroup}}
  %8 = fusion.reduce maximumf %7 dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
  return %8 : tensor<64xf32>
}

// The same over the rows as well: the root of each row's sum is multiplied when
// the largest of the row is known.
// CHECK-LABEL: func.func @norm_amax_of_all(
// CHECK: %[[R:.*]] = math.rsqrt
// CHECK: %[[P:.*]] = arith.mulf %{{.*}} fastmath<reassoc> : tensor<64x32xf32>
// CHECK-NEXT: %[[M:.*]] = fusion.reduce maximumf %[[P]] dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[M]], %[[R]] fastmath<reassoc> : tensor<64xf32>
// CHECK-NEXT: fusion.reduce maximumf %[[S]] dims = [0] fastmath<reassoc> : tensor<64xf32> -> tensor<f32>
// CHECK-NEXT: return
func.func @norm_amax_of_all(%x: tensor<64x32xf32>, %gamma: tensor<32xf32>) -> tensor<f32> {
  %0 = arith.mulf %x, %x : tensor<64x32xf32>
  %1 = fusion.reduce add %0 dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  %2 = math.rsqrt %1 : tensor<64xf32>
  %3 = fusion.broadcast %2 dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %4 = fusion.broadcast %gamma dims = [1] : tensor<32xf32> -> tensor<64x32xf32>
  %5 = arith.mulf %x, %3 fastmath<reassoc,nnan> : tensor<64x32xf32>
  %6 = arith.mulf %5, %4 fastmath<reassoc,ninf> : tensor<64x32xf32>
  %7 = math.absf %6 : tensor<64x32xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=16516, bytesBefore=16516, pointsAfter=4096, pointsBefore=4096, rules=regroup}}
  %8 = fusion.reduce maximumf %7 dims = [0, 1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<f32>
  return %8 : tensor<f32>
}

// Nothing waits: one reduction stays one.
// CHECK-LABEL: func.func @amax_of_all(
// CHECK: fusion.reduce maximumf %{{.*}} dims = [0, 1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<f32>
// CHECK-NEXT: return
func.func @amax_of_all(%x: tensor<64x32xf32>, %b: tensor<64xf32>, %gamma: tensor<32xf32>) -> tensor<f32> {
  %3 = fusion.broadcast %b dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %4 = fusion.broadcast %gamma dims = [1] : tensor<32xf32> -> tensor<64x32xf32>
  %5 = arith.mulf %x, %3 fastmath<reassoc,nnan> : tensor<64x32xf32>
  %6 = arith.mulf %5, %4 fastmath<reassoc,ninf> : tensor<64x32xf32>
  %7 = math.absf %6 : tensor<64x32xf32>
  %8 = fusion.reduce maximumf %7 dims = [0, 1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<f32>
  return %8 : tensor<f32>
}

// CHECK-LABEL: func.func @norm_amax_without_flags(
// CHECK: math.absf
// CHECK-NEXT: fusion.reduce maximumf
// CHECK-NEXT: return
func.func @norm_amax_without_flags(%x: tensor<64x32xf32>, %b: tensor<64xf32>, %gamma: tensor<32xf32>) -> tensor<64xf32> {
  %3 = fusion.broadcast %b dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %4 = fusion.broadcast %gamma dims = [1] : tensor<32xf32> -> tensor<64x32xf32>
  %5 = arith.mulf %x, %3 : tensor<64x32xf32>
  %6 = arith.mulf %5, %4 fastmath<reassoc> : tensor<64x32xf32>
  %7 = math.absf %6 : tensor<64x32xf32>
  // expected-remark@+1 {{Reason="needs reassoc on 'fusion.reduce', nnan or ninf on 'arith.mulf', reassoc on 'arith.mulf'"}}
  %8 = fusion.reduce maximumf %7 dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  return %8 : tensor<64xf32>
}

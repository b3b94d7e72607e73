// Each precondition of each rule: where one is missing the reduction stays, and a
// remark says what it needs.
// RUN: fusion-opt %s --fusion-reorder-reductions --remarks-filter='fusion-reorder-reductions' --remark-policy=all -verify-diagnostics -o %t
// RUN: FileCheck %s < %t

// CHECK-LABEL: func.func @product_without_flag(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[ARG0]] dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.broadcast %[[ARG1]] dims = [0, 2] : tensor<64x128xf32> -> tensor<64x32x128xf32>
// CHECK-NEXT: %[[V4:.*]] = arith.mulf %[[V2]], %[[V3]] fastmath<nnan,ninf,contract> : tensor<64x32x128xf32>
// CHECK-NEXT: %[[V5:.*]] = fusion.reduce add %[[V4]] dims = [1] fastmath<reassoc> : tensor<64x32x128xf32> -> tensor<64x128xf32>
// CHECK-NEXT: return %[[V5]] : tensor<64x128xf32>
func.func @product_without_flag(%x: tensor<64x32xf32>, %b: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
  %1 = fusion.broadcast %b dims = [0, 2] : tensor<64x128xf32> -> tensor<64x32x128xf32>
  %2 = arith.mulf %0, %1 fastmath<contract,nnan,ninf> : tensor<64x32x128xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs reassoc on 'arith.mulf'", bytesAfter=74240, bytesBefore=73728, pointsAfter=10240, pointsBefore=262144, rules=distribute}}
  %3 = fusion.reduce add %2 dims = [1] fastmath<reassoc> : tensor<64x32x128xf32> -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}

// CHECK-LABEL: func.func @reduction_without_flag(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[ARG0]] dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.broadcast %[[ARG1]] dims = [0, 2] : tensor<64x128xf32> -> tensor<64x32x128xf32>
// CHECK-NEXT: %[[V4:.*]] = arith.mulf %[[V2]], %[[V3]] fastmath<reassoc> : tensor<64x32x128xf32>
// CHECK-NEXT: %[[V5:.*]] = fusion.reduce add %[[V4]] dims = [1] fastmath<contract> : tensor<64x32x128xf32> -> tensor<64x128xf32>
// CHECK-NEXT: return %[[V5]] : tensor<64x128xf32>
func.func @reduction_without_flag(%x: tensor<64x32xf32>, %b: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
  %1 = fusion.broadcast %b dims = [0, 2] : tensor<64x128xf32> -> tensor<64x32x128xf32>
  %2 = arith.mulf %0, %1 fastmath<reassoc> : tensor<64x32x128xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs reassoc on 'fusion.reduce'", bytesAfter=74240, bytesBefore=73728, pointsAfter=10240, pointsBefore=262144, rules=distribute}}
  %3 = fusion.reduce add %2 dims = [1] fastmath<contract> : tensor<64x32x128xf32> -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}

// CHECK-LABEL: func.func @sum_without_flag(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[ARG0]] dims = [0, 2] : tensor<64x32xf32> -> tensor<64x128x32xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.broadcast %[[ARG1]] dims = [1, 2] : tensor<128x32xf32> -> tensor<64x128x32xf32>
// CHECK-NEXT: %[[V4:.*]] = arith.addf %[[V2]], %[[V3]] : tensor<64x128x32xf32>
// CHECK-NEXT: %[[V5:.*]] = fusion.reduce add %[[V4]] dims = [2] : tensor<64x128x32xf32> -> tensor<64x128xf32>
// CHECK-NEXT: return %[[V5]] : tensor<64x128xf32>
func.func @sum_without_flag(%x: tensor<64x32xf32>, %y: tensor<128x32xf32>) -> tensor<64x128xf32> {
  %0 = fusion.broadcast %x dims = [0, 2] : tensor<64x32xf32> -> tensor<64x128x32xf32>
  %1 = fusion.broadcast %y dims = [1, 2] : tensor<128x32xf32> -> tensor<64x128x32xf32>
  %2 = arith.addf %0, %1 : tensor<64x128x32xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs reassoc on 'arith.addf', reassoc on 'fusion.reduce'", bytesAfter=58880, bytesBefore=57344, pointsAfter=14336, pointsBefore=262144, rules=separate}}
  %3 = fusion.reduce add %2 dims = [2] : tensor<64x128x32xf32> -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}

// The sum of the deviations from the mean is 0 up to rounding; its parts are not.
// CHECK-LABEL: func.func @deviations(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = arith.constant dense<3.200000e+01> : tensor<64xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce add %[[ARG0]] dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V3:.*]] = arith.divf %[[V2]], %[[V1]] : tensor<64xf32>
// CHECK-NEXT: %[[V4:.*]] = fusion.broadcast %[[V3]] dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
// CHECK-NEXT: %[[V5:.*]] = arith.subf %[[ARG0]], %[[V4]] fastmath<reassoc> : tensor<64x32xf32>
// CHECK-NEXT: %[[V6:.*]] = fusion.reduce add %[[V5]] dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V6]] : tensor<64xf32>
func.func @deviations(%x: tensor<64x32xf32>) -> tensor<64xf32> {
  %n = arith.constant dense<32.0> : tensor<64xf32>
  %0 = fusion.reduce add %x dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
  %1 = arith.divf %0, %n : tensor<64xf32>
  %2 = fusion.broadcast %1 dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %3 = arith.subf %x, %2 fastmath<reassoc> : tensor<64x32xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs operands that no reduction precedes, since their totals could cancel, on 'arith.subf'", bytesAfter=16640, bytesBefore=16640, pointsAfter=4096, pointsBefore=4096, rules="separate, repeat"}}
  %4 = fusion.reduce add %3 dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
  return %4 : tensor<64xf32>
}

// 7 b is not what 6 additions give in any order.
// CHECK-LABEL: func.func @multiple_without_flag(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.broadcast %[[ARG0]] dims = [0] : tensor<64xf32> -> tensor<64x7xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce add %[[V1]] dims = [1] : tensor<64x7xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V2]] : tensor<64xf32>
func.func @multiple_without_flag(%b: tensor<64xf32>) -> tensor<64xf32> {
  %0 = fusion.broadcast %b dims = [0] : tensor<64xf32> -> tensor<64x7xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs reassoc on 'fusion.reduce'", bytesAfter=512, bytesBefore=512, pointsAfter=64, pointsBefore=448, rules=repeat}}
  %1 = fusion.reduce add %0 dims = [1] : tensor<64x7xf32> -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// CHECK-LABEL: func.func @power_without_flags(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.broadcast %[[ARG0]] dims = [0] : tensor<64xf32> -> tensor<64x7xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce mul %[[V1]] dims = [1] fastmath<reassoc> : tensor<64x7xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V2]] : tensor<64xf32>
func.func @power_without_flags(%b: tensor<64xf32>) -> tensor<64xf32> {
  %0 = fusion.broadcast %b dims = [0] : tensor<64xf32> -> tensor<64x7xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs nnan on 'fusion.reduce', ninf on 'fusion.reduce'", bytesAfter=512, bytesBefore=512, pointsAfter=64, pointsBefore=448, rules=repeat}}
  %1 = fusion.reduce mul %0 dims = [1] fastmath<reassoc> : tensor<64x7xf32> -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// CHECK-LABEL: func.func @power_of_dynamic(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[ARG0]][%[[ARG1]]] dims = [0] : tensor<64xi32> -> tensor<64x?xi32>
// CHECK-NEXT: %[[V3:.*]] = fusion.reduce mul %[[V2]] dims = [1] : tensor<64x?xi32> -> tensor<64xi32>
// CHECK-NEXT: return %[[V3]] : tensor<64xi32>
func.func @power_of_dynamic(%b: tensor<64xi32>, %n: index) -> tensor<64xi32> {
  %0 = fusion.broadcast %b [%n] dims = [0] : tensor<64xi32> -> tensor<64x?xi32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs a static extent on 'fusion.reduce'", bytesAfter=512, bytesBefore=512, pointsAfter=64, pointsBefore=65536, rules=repeat}}
  %1 = fusion.reduce mul %0 dims = [1] : tensor<64x?xi32> -> tensor<64xi32>
  return %1 : tensor<64xi32>
}

// CHECK-LABEL: func.func @negation_without_flag(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = arith.negf %[[ARG0]] : tensor<64x32xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce add %[[V1]] dims = [1] fastmath<nsz> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V2]] : tensor<64xf32>
func.func @negation_without_flag(%x: tensor<64x32xf32>) -> tensor<64xf32> {
  %0 = arith.negf %x : tensor<64x32xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs nsz or reassoc on 'arith.negf'", bytesAfter=8448, bytesBefore=8448, pointsAfter=2048, pointsBefore=2048, rules=negate}}
  %1 = fusion.reduce add %0 dims = [1] fastmath<nsz> : tensor<64x32xf32> -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// Infinities among x and b make NaN before, and infinity after.
// CHECK-LABEL: func.func @maximum_of_sum_without_flag(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[ARG1]] dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
// CHECK-NEXT: %[[V3:.*]] = arith.addf %[[ARG0]], %[[V2]] : tensor<64x32xf32>
// CHECK-NEXT: %[[V4:.*]] = fusion.reduce maximumf %[[V3]] dims = [1] fastmath<nnan> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V4]] : tensor<64xf32>
func.func @maximum_of_sum_without_flag(%x: tensor<64x32xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %0 = fusion.broadcast %b dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %1 = arith.addf %x, %0 : tensor<64x32xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs nnan or ninf on 'arith.addf'", bytesAfter=8704, bytesBefore=8704, pointsAfter=2048, pointsBefore=2048, rules=monotone}}
  %2 = fusion.reduce maximumf %1 dims = [1] fastmath<nnan> : tensor<64x32xf32> -> tensor<64xf32>
  return %2 : tensor<64xf32>
}

// 0 / 0
// CHECK-LABEL: func.func @maximum_of_quotient_without_flag(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = math.absf %[[ARG1]] : tensor<64xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.broadcast %[[V2]] dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
// CHECK-NEXT: %[[V4:.*]] = arith.divf %[[ARG0]], %[[V3]] fastmath<ninf> : tensor<64x32xf32>
// CHECK-NEXT: %[[V5:.*]] = fusion.reduce maximumf %[[V4]] dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V5]] : tensor<64xf32>
func.func @maximum_of_quotient_without_flag(%x: tensor<64x32xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %0 = math.absf %b : tensor<64xf32>
  %1 = fusion.broadcast %0 dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %2 = arith.divf %x, %1 fastmath<ninf> : tensor<64x32xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs nnan on 'arith.divf'", bytesAfter=8704, bytesBefore=8704, pointsAfter=2048, pointsBefore=2048, rules=monotone}}
  %3 = fusion.reduce maximumf %2 dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  return %3 : tensor<64xf32>
}

// maxnumf gives b where x is NaN, which the reduction would have shown.
// CHECK-LABEL: func.func @hidden_nan(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[ARG1]] dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
// CHECK-NEXT: %[[V3:.*]] = arith.maxnumf %[[ARG0]], %[[V2]] : tensor<64x32xf32>
// CHECK-NEXT: %[[V4:.*]] = fusion.reduce maximumf %[[V3]] dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V4]] : tensor<64xf32>
func.func @hidden_nan(%x: tensor<64x32xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %0 = fusion.broadcast %b dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %1 = arith.maxnumf %x, %0 : tensor<64x32xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs nnan on 'arith.maxnumf'", bytesAfter=8704, bytesBefore=8704, pointsAfter=2048, pointsBefore=2048, rules=monotone}}
  %2 = fusion.reduce maximumf %1 dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  return %2 : tensor<64xf32>
}

// The largest may have a root where others have none.
// CHECK-LABEL: func.func @root_of_negative(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = math.sqrt %[[ARG0]] : tensor<64x32xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce maximumf %[[V1]] dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V2]] : tensor<64xf32>
func.func @root_of_negative(%x: tensor<64x32xf32>) -> tensor<64xf32> {
  %0 = math.sqrt %x : tensor<64x32xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs nnan on 'math.sqrt'", bytesAfter=8448, bytesBefore=8448, pointsAfter=2048, pointsBefore=2048, rules=monotone}}
  %1 = fusion.reduce maximumf %0 dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// CHECK-LABEL: func.func @exponential(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = math.exp %[[ARG0]] : tensor<64x32xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce maximumf %[[V1]] dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V2]] : tensor<64xf32>
func.func @exponential(%x: tensor<64x32xf32>) -> tensor<64xf32> {
  %0 = math.exp %x : tensor<64x32xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs afn on 'math.exp'", bytesAfter=8448, bytesBefore=8448, pointsAfter=2048, pointsBefore=2048, rules=monotone}}
  %1 = fusion.reduce maximumf %0 dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// Too small a number becomes NaN, which only the conversion of all shows.
// CHECK-LABEL: func.func @to_f8(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = arith.truncf %[[ARG0]] : tensor<64x32xf32> to tensor<64x32xf8E4M3FN>
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce maximumf %[[V1]] dims = [1] : tensor<64x32xf8E4M3FN> -> tensor<64xf8E4M3FN>
// CHECK-NEXT: return %[[V2]] : tensor<64xf8E4M3FN>
func.func @to_f8(%x: tensor<64x32xf32>) -> tensor<64xf8E4M3FN> {
  %0 = arith.truncf %x : tensor<64x32xf32> to tensor<64x32xf8E4M3FN>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs a type with infinities on 'arith.truncf'", bytesAfter=8256, bytesBefore=8256, pointsAfter=2048, pointsBefore=2048, rules=monotone}}
  %1 = fusion.reduce maximumf %0 dims = [1] : tensor<64x32xf8E4M3FN> -> tensor<64xf8E4M3FN>
  return %1 : tensor<64xf8E4M3FN>
}

// CHECK-LABEL: func.func @wrapping_sum(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[ARG1]] dims = [0] : tensor<64xi32> -> tensor<64x32xi32>
// CHECK-NEXT: %[[V3:.*]] = arith.addi %[[ARG0]], %[[V2]] overflow<nuw> : tensor<64x32xi32>
// CHECK-NEXT: %[[V4:.*]] = fusion.reduce maxsi %[[V3]] dims = [1] : tensor<64x32xi32> -> tensor<64xi32>
// CHECK-NEXT: %[[V5:.*]] = arith.addi %[[ARG0]], %[[V2]] overflow<nsw> : tensor<64x32xi32>
// CHECK-NEXT: %[[V6:.*]] = fusion.reduce maxui %[[V5]] dims = [1] : tensor<64x32xi32> -> tensor<64xi32>
// CHECK-NEXT: return %[[V4]], %[[V6]] : tensor<64xi32>, tensor<64xi32>
func.func @wrapping_sum(%x: tensor<64x32xi32>, %b: tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>) {
  %0 = fusion.broadcast %b dims = [0] : tensor<64xi32> -> tensor<64x32xi32>
  %1 = arith.addi %x, %0 overflow<nuw> : tensor<64x32xi32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs nsw on 'arith.addi'", bytesAfter=8704, bytesBefore=8704, pointsAfter=2048, pointsBefore=2048, rules=monotone}}
  %2 = fusion.reduce maxsi %1 dims = [1] : tensor<64x32xi32> -> tensor<64xi32>
  %3 = arith.addi %x, %0 overflow<nsw> : tensor<64x32xi32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs nuw on 'arith.addi'", bytesAfter=8704, bytesBefore=8704, pointsAfter=2048, pointsBefore=2048, rules=monotone}}
  %4 = fusion.reduce maxui %3 dims = [1] : tensor<64x32xi32> -> tensor<64xi32>
  return %2, %4 : tensor<64xi32>, tensor<64xi32>
}

// A matrix product.
// CHECK-LABEL: func.func @contraction(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[ARG0]] dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.broadcast %[[ARG1]] dims = [1, 2] : tensor<32x128xf32> -> tensor<64x32x128xf32>
// CHECK-NEXT: %[[V4:.*]] = arith.mulf %[[V2]], %[[V3]] fastmath<reassoc> : tensor<64x32x128xf32>
// CHECK-NEXT: %[[V5:.*]] = fusion.reduce add %[[V4]] dims = [1] fastmath<reassoc> : tensor<64x32x128xf32> -> tensor<64x128xf32>
// CHECK-NEXT: return %[[V5]] : tensor<64x128xf32>
func.func @contraction(%a: tensor<64x32xf32>, %b: tensor<32x128xf32>) -> tensor<64x128xf32> {
  %0 = fusion.broadcast %a dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
  %1 = fusion.broadcast %b dims = [1, 2] : tensor<32x128xf32> -> tensor<64x32x128xf32>
  // expected-remark@+1 {{[Missed] contraction | Category:fusion-reorder-reductions | Reason="two factors share a reduced dimension and have kept dimensions of their own"}}
  %2 = arith.mulf %0, %1 fastmath<reassoc> : tensor<64x32x128xf32>
  %3 = fusion.reduce add %2 dims = [1] fastmath<reassoc> : tensor<64x32x128xf32> -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}

// The total in f16 is rounded before the next reduction.
// CHECK-LABEL: func.func @rounded_between(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce add %[[ARG0]] dims = [1] : tensor<64x32xf16> -> tensor<64xf16>
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce add %[[V1]] dims = [0] : tensor<64xf16> -> tensor<f16>
// CHECK-NEXT: return %[[V2]] : tensor<f16>
func.func @rounded_between(%x: tensor<64x32xf16>) -> tensor<f16> {
  %0 = fusion.reduce add %x dims = [1] : tensor<64x32xf16> -> tensor<64xf16>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs no rounding before the next reduction on 'fusion.reduce'", bytesAfter=4098, bytesBefore=4098, pointsAfter=2048, pointsBefore=2048, rules=merge}}
  %1 = fusion.reduce add %0 dims = [0] : tensor<64xf16> -> tensor<f16>
  return %1 : tensor<f16>
}

// The condition varies along the reduced dimension.
// CHECK-LABEL: func.func @varying_condition(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.broadcast %[[ARG0]] dims = [1] : tensor<32xi1> -> tensor<64x32xi1>
// CHECK-NEXT: %[[V4:.*]] = arith.select %[[V3]], %[[ARG1]], %[[V2]] : tensor<64x32xi1>, tensor<64x32xf32>
// CHECK-NEXT: %[[V5:.*]] = fusion.reduce add %[[V4]] dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V5]] : tensor<64xf32>
func.func @varying_condition(%c: tensor<32xi1>, %x: tensor<64x32xf32>) -> tensor<64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %0 = fusion.broadcast %c dims = [1] : tensor<32xi1> -> tensor<64x32xi1>
  %1 = arith.select %0, %x, %zero : tensor<64x32xi1>, tensor<64x32xf32>
  %2 = fusion.reduce add %1 dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
  return %2 : tensor<64xf32>
}

// What is left alone, and more preconditions, one by one.
// RUN: fusion-opt %s --fusion-reorder-reductions --remarks-filter='fusion-reorder-reductions' --remark-policy=all -verify-diagnostics -o %t
// RUN: FileCheck %s < %t

// CHECK-LABEL: func.func @quotient_without_flag(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[ARG1]] dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
// CHECK-NEXT: %[[V3:.*]] = arith.divf %[[ARG0]], %[[V2]] fastmath<nnan,ninf,arcp> : tensor<64x32xf32>
// CHECK-NEXT: %[[V4:.*]] = fusion.reduce add %[[V3]] dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V4]] : tensor<64xf32>
func.func @quotient_without_flag(%x: tensor<64x32xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %0 = fusion.broadcast %b dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %1 = arith.divf %x, %0 fastmath<nnan,ninf,arcp> : tensor<64x32xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs reassoc on 'arith.divf'", bytesAfter=8704, bytesBefore=8704, pointsAfter=2048, pointsBefore=2048, rules=distribute}}
  %2 = fusion.reduce add %1 dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
  return %2 : tensor<64xf32>
}

// One of two products may be reassociated: the other is a factor as a whole.
// CHECK-LABEL: func.func @one_product_with_flag(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}}, %[[ARG2:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V3:.*]] = fusion.broadcast %[[ARG1]] dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
// CHECK-NEXT: %[[V4:.*]] = arith.mulf %[[ARG0]], %[[V3]] : tensor<64x32xf32>
// CHECK-NEXT: %[[V5:.*]] = fusion.reduce add %[[V4]] dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V6:.*]] = arith.mulf %[[V5]], %[[ARG2]] fastmath<reassoc> : tensor<64xf32>
// CHECK-NEXT: return %[[V6]] : tensor<64xf32>
func.func @one_product_with_flag(%x: tensor<64x32xf32>, %a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %0 = fusion.broadcast %a dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %1 = fusion.broadcast %b dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %2 = arith.mulf %x, %0 : tensor<64x32xf32>
  %3 = arith.mulf %2, %1 fastmath<reassoc> : tensor<64x32xf32>
  // expected-remark@+2 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=8960, bytesBefore=8960, pointsAfter=2048, pointsBefore=2048, rules=distribute}}
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs reassoc on 'arith.mulf'", bytesAfter=8704, bytesBefore=8704, pointsAfter=2048, pointsBefore=2048, rules=distribute}}
  %4 = fusion.reduce add %3 dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
  return %4 : tensor<64xf32>
}

// CHECK-LABEL: func.func @negation_without_flag_on_sum(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = arith.negf %[[ARG0]] fastmath<reassoc,nsz> : tensor<64x32xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce add %[[V1]] dims = [1] fastmath<nnan,ninf,contract> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V2]] : tensor<64xf32>
func.func @negation_without_flag_on_sum(%x: tensor<64x32xf32>) -> tensor<64xf32> {
  %0 = arith.negf %x fastmath<nsz,reassoc> : tensor<64x32xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs nsz or reassoc on 'fusion.reduce'", bytesAfter=8448, bytesBefore=8448, pointsAfter=2048, pointsBefore=2048, rules=negate}}
  %1 = fusion.reduce add %0 dims = [1] fastmath<nnan,ninf,contract> : tensor<64x32xf32> -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// Whether a sign remains depends on n.
// CHECK-LABEL: func.func @product_of_dynamic(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = arith.negf %[[ARG0]] : tensor<64x?xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce mul %[[V1]] dims = [1] : tensor<64x?xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V2]] : tensor<64xf32>
func.func @product_of_dynamic(%x: tensor<64x?xf32>) -> tensor<64xf32> {
  %0 = arith.negf %x : tensor<64x?xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs a static extent on 'fusion.reduce'", bytesAfter=262400, bytesBefore=262400, pointsAfter=65536, pointsBefore=65536, rules=negate}}
  %1 = fusion.reduce mul %0 dims = [1] : tensor<64x?xf32> -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// CHECK-LABEL: func.func @xor_of_dynamic(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[ARG0]][%[[ARG1]]] dims = [0] : tensor<64xi32> -> tensor<64x?xi32>
// CHECK-NEXT: %[[V3:.*]] = fusion.reduce xor %[[V2]] dims = [1] : tensor<64x?xi32> -> tensor<64xi32>
// CHECK-NEXT: return %[[V3]] : tensor<64xi32>
func.func @xor_of_dynamic(%b: tensor<64xi32>, %n: index) -> tensor<64xi32> {
  %0 = fusion.broadcast %b [%n] dims = [0] : tensor<64xi32> -> tensor<64x?xi32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs a static extent on 'fusion.reduce'", bytesAfter=512, bytesBefore=512, pointsAfter=64, pointsBefore=65536, rules=repeat}}
  %1 = fusion.reduce xor %0 dims = [1] : tensor<64x?xi32> -> tensor<64xi32>
  return %1 : tensor<64xi32>
}

// CHECK-LABEL: func.func @products_without_flags(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[ARG0]] dims = [0, 2] : tensor<64x32xf32> -> tensor<64x128x32xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.broadcast %[[ARG1]] dims = [1, 2] : tensor<128x32xf32> -> tensor<64x128x32xf32>
// CHECK-NEXT: %[[V4:.*]] = arith.mulf %[[V2]], %[[V3]] : tensor<64x128x32xf32>
// CHECK-NEXT: %[[V5:.*]] = fusion.reduce mul %[[V4]] dims = [2] fastmath<reassoc> : tensor<64x128x32xf32> -> tensor<64x128xf32>
// CHECK-NEXT: return %[[V5]] : tensor<64x128xf32>
func.func @products_without_flags(%x: tensor<64x32xf32>, %y: tensor<128x32xf32>) -> tensor<64x128xf32> {
  %0 = fusion.broadcast %x dims = [0, 2] : tensor<64x32xf32> -> tensor<64x128x32xf32>
  %1 = fusion.broadcast %y dims = [1, 2] : tensor<128x32xf32> -> tensor<64x128x32xf32>
  %2 = arith.mulf %0, %1 : tensor<64x128x32xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs reassoc on 'arith.mulf', nnan on 'fusion.reduce', ninf on 'fusion.reduce'", bytesAfter=58880, bytesBefore=57344, pointsAfter=14336, pointsBefore=262144, rules=separate}}
  %3 = fusion.reduce mul %2 dims = [2] fastmath<reassoc> : tensor<64x128x32xf32> -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}

// A mask of some ones reverses nothing.
// CHECK-LABEL: func.func @partial_complement(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = arith.constant dense<15> : tensor<64x32xi8>
// CHECK-NEXT: %[[V2:.*]] = arith.xori %[[ARG0]], %[[V1]] : tensor<64x32xi8>
// CHECK-NEXT: %[[V3:.*]] = fusion.reduce or %[[V2]] dims = [1] : tensor<64x32xi8> -> tensor<64xi8>
// CHECK-NEXT: return %[[V3]] : tensor<64xi8>
func.func @partial_complement(%x: tensor<64x32xi8>) -> tensor<64xi8> {
  %c = arith.constant dense<15> : tensor<64x32xi8>
  %0 = arith.xori %x, %c : tensor<64x32xi8>
  %1 = fusion.reduce or %0 dims = [1] : tensor<64x32xi8> -> tensor<64xi8>
  return %1 : tensor<64xi8>
}

// The maximum of sums is no reduction of its own.
// CHECK-LABEL: func.func @kinds_in_a_row(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce add %[[ARG0]] dims = [1] fastmath<fast> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce maximumf %[[V1]] dims = [0] fastmath<fast> : tensor<64xf32> -> tensor<f32>
// CHECK-NEXT: return %[[V2]] : tensor<f32>
func.func @kinds_in_a_row(%x: tensor<64x32xf32>) -> tensor<f32> {
  %0 = fusion.reduce add %x dims = [1] fastmath<fast> : tensor<64x32xf32> -> tensor<64xf32>
  %1 = fusion.reduce maximumf %0 dims = [0] fastmath<fast> : tensor<64xf32> -> tensor<f32>
  return %1 : tensor<f32>
}

// An f64 accumulator behind an f32 total: what was rounded stays rounded.
// CHECK-LABEL: func.func @wider_in_a_row(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce add %[[ARG0]] dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce add %[[V1]] dims = [0] : tensor<64xf32> -> tensor<f64>
// CHECK-NEXT: return %[[V2]] : tensor<f64>
func.func @wider_in_a_row(%x: tensor<64x32xf32>) -> tensor<f64> {
  %0 = fusion.reduce add %x dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs no rounding before the next reduction on 'fusion.reduce'", bytesAfter=8200, bytesBefore=8200, pointsAfter=2048, pointsBefore=2048, rules=merge}}
  %1 = fusion.reduce add %0 dims = [0] : tensor<64xf32> -> tensor<f64>
  return %1 : tensor<f64>
}

// The roundings to f16 are part of the program.
// CHECK-LABEL: func.func @rounded_values(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = arith.truncf %[[ARG0]] : tensor<64x32xf32> to tensor<64x32xf16>
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce add %[[V1]] dims = [1] fastmath<fast> : tensor<64x32xf16> -> tensor<64xf16>
// CHECK-NEXT: return %[[V2]] : tensor<64xf16>
func.func @rounded_values(%x: tensor<64x32xf32>) -> tensor<64xf16> {
  %0 = arith.truncf %x : tensor<64x32xf32> to tensor<64x32xf16>
  %1 = fusion.reduce add %0 dims = [1] fastmath<fast> : tensor<64x32xf16> -> tensor<64xf16>
  return %1 : tensor<64xf16>
}

// The sum of i8 wraps, that of i32 does not.
// CHECK-LABEL: func.func @widened_integers(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = arith.extsi %[[ARG0]] : tensor<64x32xi8> to tensor<64x32xi32>
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce add %[[V1]] dims = [1] : tensor<64x32xi32> -> tensor<64xi32>
// CHECK-NEXT: return %[[V2]] : tensor<64xi32>
func.func @widened_integers(%x: tensor<64x32xi8>) -> tensor<64xi32> {
  %0 = arith.extsi %x : tensor<64x32xi8> to tensor<64x32xi32>
  %1 = fusion.reduce add %0 dims = [1] : tensor<64x32xi32> -> tensor<64xi32>
  return %1 : tensor<64xi32>
}

// exp(x - m) is what keeps the sum from overflow.
// CHECK-LABEL: func.func @softmax_sum(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce maximumf %[[ARG0]] dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[V1]] dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
// CHECK-NEXT: %[[V3:.*]] = arith.subf %[[ARG0]], %[[V2]] fastmath<fast> : tensor<64x32xf32>
// CHECK-NEXT: %[[V4:.*]] = math.exp %[[V3]] fastmath<fast> : tensor<64x32xf32>
// CHECK-NEXT: %[[V5:.*]] = fusion.reduce add %[[V4]] dims = [1] fastmath<fast> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V5]] : tensor<64xf32>
func.func @softmax_sum(%x: tensor<64x32xf32>) -> tensor<64xf32> {
  %0 = fusion.reduce maximumf %x dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  %1 = fusion.broadcast %0 dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %2 = arith.subf %x, %1 fastmath<fast> : tensor<64x32xf32>
  %3 = math.exp %2 fastmath<fast> : tensor<64x32xf32>
  %4 = fusion.reduce add %3 dims = [1] fastmath<fast> : tensor<64x32xf32> -> tensor<64xf32>
  return %4 : tensor<64xf32>
}

// The sum of squared deviations is never made from the sum of squares.
// CHECK-LABEL: func.func @variance(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = arith.constant dense<3.125000e-02> : tensor<64xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce add %[[ARG0]] dims = [1] fastmath<fast> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V3:.*]] = arith.mulf %[[V2]], %[[V1]] fastmath<fast> : tensor<64xf32>
// CHECK-NEXT: %[[V4:.*]] = fusion.broadcast %[[V3]] dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
// CHECK-NEXT: %[[V5:.*]] = arith.subf %[[ARG0]], %[[V4]] fastmath<fast> : tensor<64x32xf32>
// CHECK-NEXT: %[[V6:.*]] = arith.mulf %[[V5]], %[[V5]] fastmath<fast> : tensor<64x32xf32>
// CHECK-NEXT: %[[V7:.*]] = fusion.reduce add %[[V6]] dims = [1] fastmath<fast> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V7]] : tensor<64xf32>
func.func @variance(%x: tensor<64x32xf32>) -> tensor<64xf32> {
  %n = arith.constant dense<3.125000e-02> : tensor<64xf32>
  %0 = fusion.reduce add %x dims = [1] fastmath<fast> : tensor<64x32xf32> -> tensor<64xf32>
  %1 = arith.mulf %0, %n fastmath<fast> : tensor<64xf32>
  %2 = fusion.broadcast %1 dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %3 = arith.subf %x, %2 fastmath<fast> : tensor<64x32xf32>
  %4 = arith.mulf %3, %3 fastmath<fast> : tensor<64x32xf32>
  %5 = fusion.reduce add %4 dims = [1] fastmath<fast> : tensor<64x32xf32> -> tensor<64xf32>
  return %5 : tensor<64xf32>
}

// One division for each element either way.
// CHECK-LABEL: func.func @divided_by_elements(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[ARG1]] dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
// CHECK-NEXT: %[[V3:.*]] = arith.divf %[[V2]], %[[ARG0]] fastmath<fast> : tensor<64x32xf32>
// CHECK-NEXT: %[[V4:.*]] = fusion.reduce add %[[V3]] dims = [1] fastmath<fast> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V4]] : tensor<64xf32>
func.func @divided_by_elements(%x: tensor<64x32xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %0 = fusion.broadcast %b dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %1 = arith.divf %0, %x fastmath<fast> : tensor<64x32xf32>
  %2 = fusion.reduce add %1 dims = [1] fastmath<fast> : tensor<64x32xf32> -> tensor<64xf32>
  return %2 : tensor<64xf32>
}

// Nothing is moved into a reduction.
// CHECK-LABEL: func.func @scaled_total(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce add %[[ARG0]] dims = [1] fastmath<fast> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V3:.*]] = arith.mulf %[[V2]], %[[ARG1]] fastmath<fast> : tensor<64xf32>
// CHECK-NEXT: return %[[V3]] : tensor<64xf32>
func.func @scaled_total(%x: tensor<64x32xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %0 = fusion.reduce add %x dims = [1] fastmath<fast> : tensor<64x32xf32> -> tensor<64xf32>
  %1 = arith.mulf %0, %b fastmath<fast> : tensor<64xf32>
  return %1 : tensor<64xf32>
}

// One reduction rather than a maximum and a minimum.
// CHECK-LABEL: func.func @largest_magnitude(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = math.absf %[[ARG0]] : tensor<64x32xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce maximumf %[[V1]] dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V2]] : tensor<64xf32>
func.func @largest_magnitude(%x: tensor<64x32xf32>) -> tensor<64xf32> {
  %0 = math.absf %x : tensor<64x32xf32>
  %1 = fusion.reduce maximumf %0 dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// x[j]: there is no gather to write it with.
// CHECK-LABEL: func.func @picked(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.iota : tensor<32xi32>
// CHECK-NEXT: %[[V4:.*]] = fusion.broadcast %[[V3]] dims = [1] : tensor<32xi32> -> tensor<64x32xi32>
// CHECK-NEXT: %[[V5:.*]] = fusion.broadcast %[[ARG1]] dims = [0] : tensor<64xi32> -> tensor<64x32xi32>
// CHECK-NEXT: %[[V6:.*]] = arith.cmpi eq, %[[V4]], %[[V5]] : tensor<64x32xi32>
// CHECK-NEXT: %[[V7:.*]] = arith.select %[[V6]], %[[ARG0]], %[[V2]] : tensor<64x32xi1>, tensor<64x32xf32>
// CHECK-NEXT: %[[V8:.*]] = fusion.reduce add %[[V7]] dims = [1] fastmath<fast> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V8]] : tensor<64xf32>
func.func @picked(%x: tensor<64x32xf32>, %j: tensor<64xi32>) -> tensor<64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %0 = fusion.iota : tensor<32xi32>
  %1 = fusion.broadcast %0 dims = [1] : tensor<32xi32> -> tensor<64x32xi32>
  %2 = fusion.broadcast %j dims = [0] : tensor<64xi32> -> tensor<64x32xi32>
  %3 = arith.cmpi eq, %1, %2 : tensor<64x32xi32>
  %4 = arith.select %3, %x, %zero : tensor<64x32xi1>, tensor<64x32xf32>
  %5 = fusion.reduce add %4 dims = [1] fastmath<fast> : tensor<64x32xf32> -> tensor<64xf32>
  return %5 : tensor<64xf32>
}

// The reshape mixes kept and reduced dimensions: b is one value for each of the
// 64 rows, but not for each of the 32.
// CHECK-LABEL: func.func @mixed_reshape(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[ARG1]] dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
// CHECK-NEXT: %[[V3:.*]] = arith.mulf %[[ARG0]], %[[V2]] fastmath<fast> : tensor<64x32xf32>
// CHECK-NEXT: %[[V4:.*]] = tensor.collapse_shape %[[V3]] {{\[\[}}0, 1]] : tensor<64x32xf32> into tensor<2048xf32>
// CHECK-NEXT: %[[V5:.*]] = tensor.expand_shape %[[V4]] {{\[\[}}0, 1]] output_shape [32, 64] : tensor<2048xf32> into tensor<32x64xf32>
// CHECK-NEXT: %[[V6:.*]] = fusion.reduce add %[[V5]] dims = [1] fastmath<fast> : tensor<32x64xf32> -> tensor<32xf32>
// CHECK-NEXT: return %[[V6]] : tensor<32xf32>
func.func @mixed_reshape(%x: tensor<64x32xf32>, %b: tensor<64xf32>) -> tensor<32xf32> {
  %0 = fusion.broadcast %b dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %1 = arith.mulf %x, %0 fastmath<fast> : tensor<64x32xf32>
  %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<64x32xf32> into tensor<2048xf32>
  %3 = tensor.expand_shape %2 [[0, 1]] output_shape [32, 64] : tensor<2048xf32> into tensor<32x64xf32>
  %4 = fusion.reduce add %3 dims = [1] fastmath<fast> : tensor<32x64xf32> -> tensor<32xf32>
  return %4 : tensor<32xf32>
}

// Rewrites that take fewer points. The numerics of each rule are tested in
// unittests/Transforms/AlgebraTest.cpp.
// RUN: fusion-opt %s --fusion-reorder-reductions --remarks-filter='fusion-reorder-reductions' --remark-policy=all -verify-diagnostics -o %t
// RUN: FileCheck %s < %t

// sum(x b) = b sum(x): 64 x 32 + 64 x 128 points instead of 64 x 32 x 128.
// CHECK-LABEL: func.func @outer_product(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.squeeze %[[ARG0]] dims = [2] : tensor<64x32x1xf32> -> tensor<64x32xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.reduce add %[[V2]] dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V4:.*]] = fusion.squeeze %[[ARG1]] dims = [1] : tensor<64x1x128xf32> -> tensor<64x128xf32>
// CHECK-NEXT: %[[V5:.*]] = fusion.broadcast %[[V3]] dims = [0] : tensor<64xf32> -> tensor<64x128xf32>
// CHECK-NEXT: %[[V6:.*]] = arith.mulf %[[V5]], %[[V4]] fastmath<reassoc> : tensor<64x128xf32>
// CHECK-NEXT: return %[[V6]] : tensor<64x128xf32>
func.func @outer_product(%x: tensor<64x32x1xf32>, %b: tensor<64x1x128xf32>) -> tensor<64x128xf32> {
  %0 = fusion.broadcast %x dims = [0, 1, 2] : tensor<64x32x1xf32> -> tensor<64x32x128xf32>
  %1 = fusion.broadcast %b dims = [0, 1, 2] : tensor<64x1x128xf32> -> tensor<64x32x128xf32>
  %2 = arith.mulf %0, %1 fastmath<reassoc,nnan> : tensor<64x32x128xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=74240, bytesBefore=73728, pointsAfter=10240, pointsBefore=262144, rules=distribute}}
  %3 = fusion.reduce add %2 dims = [1] fastmath<reassoc,ninf> : tensor<64x32x128xf32> -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}

// Over two dimensions, each factor is summed over its own.
// CHECK-LABEL: func.func @product_of_sums(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce add %[[ARG0]] dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.reduce add %[[ARG1]] dims = [1] fastmath<reassoc> : tensor<64x128xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V4:.*]] = arith.mulf %[[V2]], %[[V3]] fastmath<reassoc> : tensor<64xf32>
// CHECK-NEXT: return %[[V4]] : tensor<64xf32>
func.func @product_of_sums(%x: tensor<64x32xf32>, %y: tensor<64x128xf32>) -> tensor<64xf32> {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
  %1 = fusion.broadcast %y dims = [0, 2] : tensor<64x128xf32> -> tensor<64x32x128xf32>
  %2 = arith.mulf %0, %1 fastmath<reassoc> : tensor<64x32x128xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=41216, bytesBefore=41216, pointsAfter=10240, pointsBefore=262144, rules=distribute}}
  %3 = fusion.reduce add %2 dims = [1, 2] fastmath<reassoc> : tensor<64x32x128xf32> -> tensor<64xf32>
  return %3 : tensor<64xf32>
}

// The product narrows to f16 once, at the end; n is f32.
// CHECK-LABEL: func.func @narrow(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce add %[[ARG0]] dims = [0] fastmath<reassoc> : tensor<64xf16> -> tensor<f32>
// CHECK-NEXT: %[[V2:.*]] = arith.constant dense<7.000000e+04> : tensor<f32>
// CHECK-NEXT: %[[V3:.*]] = arith.mulf %[[V1]], %[[V2]] fastmath<reassoc> : tensor<f32>
// CHECK-NEXT: %[[V4:.*]] = arith.truncf %[[V3]] : tensor<f32> to tensor<f16>
// CHECK-NEXT: return %[[V4]] : tensor<f16>
func.func @narrow(%x: tensor<64xf16>) -> tensor<f16> {
  %0 = fusion.broadcast %x dims = [0] : tensor<64xf16> -> tensor<64x70000xf16>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=130, bytesBefore=130, pointsAfter=64, pointsBefore=4480000, rules=repeat}}
  %1 = fusion.reduce add %0 dims = [0, 1] fastmath<reassoc> : tensor<64x70000xf16> -> tensor<f16>
  return %1 : tensor<f16>
}

// A sum over other dimensions: both parts are smaller than the whole.
// CHECK-LABEL: func.func @outer_sum(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce add %[[ARG0]] dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.reduce add %[[ARG1]] dims = [1] fastmath<reassoc> : tensor<128x32xf32> -> tensor<128xf32>
// CHECK-NEXT: %[[V4:.*]] = fusion.broadcast %[[V2]] dims = [0] : tensor<64xf32> -> tensor<64x128xf32>
// CHECK-NEXT: %[[V5:.*]] = fusion.broadcast %[[V3]] dims = [1] : tensor<128xf32> -> tensor<64x128xf32>
// CHECK-NEXT: %[[V6:.*]] = arith.subf %[[V4]], %[[V5]] fastmath<reassoc> : tensor<64x128xf32>
// CHECK-NEXT: return %[[V6]] : tensor<64x128xf32>
func.func @outer_sum(%x: tensor<64x32xf32>, %y: tensor<128x32xf32>) -> tensor<64x128xf32> {
  %0 = fusion.broadcast %x dims = [0, 2] : tensor<64x32xf32> -> tensor<64x128x32xf32>
  %1 = fusion.broadcast %y dims = [1, 2] : tensor<128x32xf32> -> tensor<64x128x32xf32>
  %2 = arith.subf %0, %1 fastmath<reassoc> : tensor<64x128x32xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=58880, bytesBefore=57344, pointsAfter=14336, pointsBefore=262144, rules=separate}}
  %3 = fusion.reduce add %2 dims = [2] fastmath<reassoc> : tensor<64x128x32xf32> -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}

// sum(scale (q - zero)) = scale (sum(q) - n zero)
// CHECK-LABEL: func.func @dequantize(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}}, %[[ARG2:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V3:.*]] = fusion.reduce add %[[ARG0]] dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V4:.*]] = arith.constant dense<3.200000e+01> : tensor<f32>
// CHECK-NEXT: %[[V5:.*]] = arith.constant dense<3.200000e+01> : tensor<64xf32>
// CHECK-NEXT: %[[V6:.*]] = arith.mulf %[[ARG2]], %[[V5]] fastmath<reassoc> : tensor<64xf32>
// CHECK-NEXT: %[[V7:.*]] = arith.subf %[[V3]], %[[V6]] fastmath<reassoc> : tensor<64xf32>
// CHECK-NEXT: %[[V8:.*]] = arith.mulf %[[V7]], %[[ARG1]] fastmath<reassoc> : tensor<64xf32>
// CHECK-NEXT: return %[[V8]] : tensor<64xf32>
func.func @dequantize(%q: tensor<64x32xf32>, %scale: tensor<64xf32>, %zero: tensor<64xf32>) -> tensor<64xf32> {
  %0 = fusion.broadcast %zero dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %1 = arith.subf %q, %0 fastmath<reassoc> : tensor<64x32xf32>
  %2 = fusion.broadcast %scale dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %3 = arith.mulf %1, %2 fastmath<reassoc> : tensor<64x32xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=8960, bytesBefore=8960, pointsAfter=2048, pointsBefore=2048, rules="distribute, separate, repeat"}}
  %4 = fusion.reduce add %3 dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
  return %4 : tensor<64xf32>
}

// A broadcast of kept dimensions, in another order of dimensions.
// CHECK-LABEL: func.func @kept_broadcast(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.transpose %[[ARG0]] permutation = [1, 0] : tensor<32x64xf32> -> tensor<64x32xf32>
// CHECK-NEXT: %[[V2:.*]] = math.exp %[[V1]] : tensor<64x32xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.reduce add %[[V2]] dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V4:.*]] = fusion.broadcast %[[V3]] dims = [0] : tensor<64xf32> -> tensor<64x128xf32>
// CHECK-NEXT: return %[[V4]] : tensor<64x128xf32>
func.func @kept_broadcast(%x: tensor<32x64xf32>) -> tensor<64x128xf32> {
  %0 = fusion.transpose %x permutation = [1, 0] : tensor<32x64xf32> -> tensor<64x32xf32>
  %1 = math.exp %0 : tensor<64x32xf32>
  %2 = fusion.broadcast %1 dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=40960, bytesBefore=40960, pointsAfter=2048, pointsBefore=262144, rules=broadcast}}
  %3 = fusion.reduce add %2 dims = [1] : tensor<64x32x128xf32> -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}

// Without reassoc, equal values are added after the others.
// CHECK-LABEL: func.func @stages(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce add %[[ARG0]] dims = [1] : tensor<64x30xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[V1]] dims = [0] : tensor<64xf32> -> tensor<64x31xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.reduce add %[[V2]] dims = [1] : tensor<64x31xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V3]] : tensor<64xf32>
func.func @stages(%x: tensor<64x30xf32>) -> tensor<64xf32> {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<64x30xf32> -> tensor<64x30x31xf32>
  // expected-remark@+2 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=7936, bytesBefore=7936, pointsAfter=3904, pointsBefore=59520, rules=stages}}
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs reassoc on 'fusion.reduce'", bytesAfter=7936, bytesBefore=7936, pointsAfter=1920, pointsBefore=3904, rules=repeat}}
  %1 = fusion.reduce add %0 dims = [1, 2] : tensor<64x30x31xf32> -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// The maximum of a sum over two dimensions, and of a product without signs.
// CHECK-LABEL: func.func @tropical(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce maximumf %[[ARG0]] dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.reduce maximumf %[[ARG1]] dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V4:.*]] = arith.addf %[[V2]], %[[V3]] : tensor<64xf32>
// CHECK-NEXT: return %[[V4]] : tensor<64xf32>
func.func @tropical(%x: tensor<64x32xf32>, %y: tensor<64x128xf32>) -> tensor<64xf32> {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
  %1 = fusion.broadcast %y dims = [0, 2] : tensor<64x128xf32> -> tensor<64x32x128xf32>
  %2 = arith.addf %0, %1 fastmath<ninf> : tensor<64x32x128xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=41216, bytesBefore=41216, pointsAfter=10240, pointsBefore=262144, rules=monotone}}
  %3 = fusion.reduce maximumf %2 dims = [1, 2] : tensor<64x32x128xf32> -> tensor<64xf32>
  return %3 : tensor<64xf32>
}

// CHECK-LABEL: func.func @amax(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = math.absf %[[ARG0]] : tensor<64x32xbf16>
// CHECK-NEXT: %[[V3:.*]] = fusion.reduce maximumf %[[V2]] dims = [1] : tensor<64x32xbf16> -> tensor<64xbf16>
// CHECK-NEXT: %[[V4:.*]] = math.absf %[[ARG1]] : tensor<64x128xbf16>
// CHECK-NEXT: %[[V5:.*]] = fusion.reduce maximumf %[[V4]] dims = [1] : tensor<64x128xbf16> -> tensor<64xbf16>
// CHECK-NEXT: %[[V6:.*]] = arith.mulf %[[V3]], %[[V5]] : tensor<64xbf16>
// CHECK-NEXT: %[[V7:.*]] = fusion.reduce maximumf %[[V6]] dims = [0] : tensor<64xbf16> -> tensor<bf16>
// CHECK-NEXT: %[[V8:.*]] = arith.extf %[[V7]] : tensor<bf16> to tensor<f32>
// CHECK-NEXT: return %[[V8]] : tensor<f32>
func.func @amax(%x: tensor<64x32xbf16>, %y: tensor<64x128xbf16>) -> tensor<f32> {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<64x32xbf16> -> tensor<64x32x128xbf16>
  %1 = fusion.broadcast %y dims = [0, 2] : tensor<64x128xbf16> -> tensor<64x32x128xbf16>
  %2 = arith.mulf %0, %1 fastmath<nnan> : tensor<64x32x128xbf16>
  %3 = math.absf %2 : tensor<64x32x128xbf16>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=20484, bytesBefore=20484, pointsAfter=10240, pointsBefore=262144, rules=monotone}}
  %4 = fusion.reduce maximumf %3 dims = [0, 1, 2] : tensor<64x32x128xbf16> -> tensor<f32>
  return %4 : tensor<f32>
}

// CHECK-LABEL: func.func @corners(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce minimumf %[[ARG0]] dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.reduce minimumf %[[ARG1]] dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V4:.*]] = arith.mulf %[[V2]], %[[V3]] : tensor<64xf32>
// CHECK-NEXT: %[[V5:.*]] = fusion.reduce maximumf %[[ARG1]] dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V6:.*]] = arith.mulf %[[V2]], %[[V5]] : tensor<64xf32>
// CHECK-NEXT: %[[V7:.*]] = fusion.reduce maximumf %[[ARG0]] dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V8:.*]] = arith.mulf %[[V7]], %[[V3]] : tensor<64xf32>
// CHECK-NEXT: %[[V9:.*]] = arith.mulf %[[V7]], %[[V5]] : tensor<64xf32>
// CHECK-NEXT: %[[V10:.*]] = arith.minimumf %[[V4]], %[[V6]] : tensor<64xf32>
// CHECK-NEXT: %[[V11:.*]] = arith.minimumf %[[V10]], %[[V8]] : tensor<64xf32>
// CHECK-NEXT: %[[V12:.*]] = arith.minimumf %[[V11]], %[[V9]] : tensor<64xf32>
// CHECK-NEXT: return %[[V12]] : tensor<64xf32>
func.func @corners(%x: tensor<64x32xf32>, %y: tensor<64x128xf32>) -> tensor<64xf32> {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
  %1 = fusion.broadcast %y dims = [0, 2] : tensor<64x128xf32> -> tensor<64x32x128xf32>
  %2 = arith.mulf %0, %1 fastmath<nnan> : tensor<64x32x128xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=41216, bytesBefore=41216, pointsAfter=10240, pointsBefore=262144, rules="corners, monotone"}}
  %3 = fusion.reduce minimumf %2 dims = [1, 2] : tensor<64x32x128xf32> -> tensor<64xf32>
  return %3 : tensor<64xf32>
}

// CHECK-LABEL: func.func @any(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce or %[[ARG0]] dims = [1] : tensor<64x32xi1> -> tensor<64xi1>
// CHECK-NEXT: %[[V3:.*]] = fusion.broadcast %[[V2]] dims = [0] : tensor<64xi1> -> tensor<64x128xi1>
// CHECK-NEXT: %[[V4:.*]] = arith.andi %[[V3]], %[[ARG1]] : tensor<64x128xi1>
// CHECK-NEXT: return %[[V4]] : tensor<64x128xi1>
func.func @any(%x: tensor<64x32xi1>, %b: tensor<64x128xi1>) -> tensor<64x128xi1> {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<64x32xi1> -> tensor<64x32x128xi1>
  %1 = fusion.broadcast %b dims = [0, 2] : tensor<64x128xi1> -> tensor<64x32x128xi1>
  %2 = arith.andi %0, %1 : tensor<64x32x128xi1>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=18560, bytesBefore=18432, pointsAfter=10240, pointsBefore=262144, rules=distribute}}
  %3 = fusion.reduce or %2 dims = [1] : tensor<64x32x128xi1> -> tensor<64x128xi1>
  return %3 : tensor<64x128xi1>
}

// CHECK-LABEL: func.func @select(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = arith.constant dense<0.000000e+00> : tensor<64x32x128xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.reduce add %[[ARG1]] dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V4:.*]] = arith.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V5:.*]] = fusion.broadcast %[[V3]] dims = [0] : tensor<64xf32> -> tensor<64x128xf32>
// CHECK-NEXT: %[[V6:.*]] = arith.constant dense<0.000000e+00> : tensor<64x128xf32>
// CHECK-NEXT: %[[V7:.*]] = arith.select %[[ARG0]], %[[V5]], %[[V6]] : tensor<64x128xi1>, tensor<64x128xf32>
// CHECK-NEXT: return %[[V7]] : tensor<64x128xf32>
func.func @select(%c: tensor<64x128xi1>, %x: tensor<64x32xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x32x128xf32>
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
  %1 = fusion.broadcast %c dims = [0, 2] : tensor<64x128xi1> -> tensor<64x32x128xi1>
  %2 = arith.select %1, %0, %zero : tensor<64x32x128xi1>, tensor<64x32x128xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=49664, bytesBefore=49152, pointsAfter=10240, pointsBefore=262144, rules="select, repeat"}}
  %3 = fusion.reduce add %2 dims = [1] : tensor<64x32x128xf32> -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}

// Two stages without a reduction to be aligned with become one; with one they
// stay.
// CHECK-LABEL: func.func @merge(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce add %[[ARG0]] dims = [0, 1] : tensor<64x32xf32> -> tensor<f32>
// CHECK-NEXT: return %[[V1]] : tensor<f32>
func.func @merge(%x: tensor<64x32xf32>) -> tensor<f32> {
  %0 = fusion.reduce add %x dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=8196, bytesBefore=8196, pointsAfter=2048, pointsBefore=2048, rules=merge}}
  %1 = fusion.reduce add %0 dims = [0] : tensor<64xf32> -> tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @stages_on_purpose(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce maximumf %[[ARG0]] dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[V1]] dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
// CHECK-NEXT: %[[V3:.*]] = math.exp %[[V2]] : tensor<64x32xf32>
// CHECK-NEXT: %[[V4:.*]] = arith.addf %[[ARG0]], %[[V3]] : tensor<64x32xf32>
// CHECK-NEXT: %[[V5:.*]] = fusion.reduce add %[[V4]] dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V6:.*]] = fusion.reduce add %[[V5]] dims = [0] : tensor<64xf32> -> tensor<f32>
// CHECK-NEXT: return %[[V6]] : tensor<f32>
func.func @stages_on_purpose(%x: tensor<64x32xf32>) -> tensor<f32> {
  %0 = fusion.reduce maximumf %x dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  %1 = fusion.broadcast %0 dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %2 = math.exp %1 : tensor<64x32xf32>
  %3 = arith.addf %x, %2 : tensor<64x32xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-reorder-reductions | Reason="needs reassoc on 'arith.addf', reassoc on 'fusion.reduce', operands that no reduction precedes, since their totals could cancel, on 'arith.addf'", bytesAfter=16640, bytesBefore=16640, pointsAfter=4096, pointsBefore=4096, rules="separate, repeat"}}
  %4 = fusion.reduce add %3 dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  %5 = fusion.reduce add %4 dims = [0] : tensor<64xf32> -> tensor<f32>
  return %5 : tensor<f32>
}

// The accumulator is as wide as before; the conversion is the reduction's.
// CHECK-LABEL: func.func @widen(
// CHECK-SAME: %[[X:.*]]: tensor<64x32xf16>)
// CHECK-NEXT: %[[R:.*]] = fusion.reduce add %[[X]] dims = [1] : tensor<64x32xf16> -> tensor<64xf32>
// CHECK-NEXT: return %[[R]] : tensor<64xf32>
func.func @widen(%x: tensor<64x32xf16>) -> tensor<64xf32> {
  %0 = arith.extf %x : tensor<64x32xf16> to tensor<64x32xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=4352, bytesBefore=4352, pointsAfter=2048, pointsBefore=2048, rules=widen}}
  %1 = fusion.reduce add %0 dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

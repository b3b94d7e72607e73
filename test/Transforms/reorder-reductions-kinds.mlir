// Rules by kind of reduction, with the points and bytes before and after.
// RUN: fusion-opt %s --fusion-reorder-reductions --remarks-filter='fusion-reorder-reductions' --remark-policy=all -verify-diagnostics -o %t
// RUN: FileCheck %s < %t

// sum(x / b) = sum(x) / b: one division for each row.
// CHECK-LABEL: func.func @quotient(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce add %[[ARG0]] dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V3:.*]] = arith.divf %[[V2]], %[[ARG1]] fastmath<reassoc> : tensor<64xf32>
// CHECK-NEXT: return %[[V3]] : tensor<64xf32>
func.func @quotient(%x: tensor<64x32xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %0 = fusion.broadcast %b dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %1 = arith.divf %x, %0 fastmath<reassoc> : tensor<64x32xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=8704, bytesBefore=8704, pointsAfter=2048, pointsBefore=2048, rules=distribute}}
  %2 = fusion.reduce add %1 dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
  return %2 : tensor<64xf32>
}

// CHECK-LABEL: func.func @sum_of_negation(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce add %[[ARG0]] dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V2:.*]] = arith.negf %[[V1]] : tensor<64xf32>
// CHECK-NEXT: return %[[V2]] : tensor<64xf32>
func.func @sum_of_negation(%x: tensor<64x32xf32>) -> tensor<64xf32> {
  %0 = arith.negf %x fastmath<nsz> : tensor<64x32xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=8448, bytesBefore=8448, pointsAfter=2048, pointsBefore=2048, rules=negate}}
  %1 = fusion.reduce add %0 dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// An odd number of signs is one, an even number none.
// CHECK-LABEL: func.func @product_of_negations(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce mul %[[ARG0]] dims = [1] : tensor<64x31xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V3:.*]] = arith.negf %[[V2]] : tensor<64xf32>
// CHECK-NEXT: %[[V4:.*]] = fusion.reduce mul %[[ARG1]] dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V3]], %[[V4]] : tensor<64xf32>, tensor<64xf32>
func.func @product_of_negations(%x: tensor<64x31xf32>, %y: tensor<64x32xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = arith.negf %x : tensor<64x31xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=8192, bytesBefore=8192, pointsAfter=1984, pointsBefore=1984, rules=negate}}
  %1 = fusion.reduce mul %0 dims = [1] : tensor<64x31xf32> -> tensor<64xf32>
  %2 = arith.negf %y : tensor<64x32xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=8448, bytesBefore=8448, pointsAfter=2048, pointsBefore=2048, rules=negate}}
  %3 = fusion.reduce mul %2 dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  return %1, %3 : tensor<64xf32>, tensor<64xf32>
}

// CHECK-LABEL: func.func @maximum_of_negation(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce minimumf %[[ARG0]] dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V2:.*]] = arith.negf %[[V1]] : tensor<64xf32>
// CHECK-NEXT: return %[[V2]] : tensor<64xf32>
func.func @maximum_of_negation(%x: tensor<64x32xf32>) -> tensor<64xf32> {
  %0 = arith.negf %x : tensor<64x32xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=8448, bytesBefore=8448, pointsAfter=2048, pointsBefore=2048, rules=monotone}}
  %1 = fusion.reduce maximumf %0 dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// min(max(x, 0), b): a clamp.
// CHECK-LABEL: func.func @clamp(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.reduce maximumf %[[ARG0]] dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V4:.*]] = arith.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V5:.*]] = arith.constant dense<0.000000e+00> : tensor<64xf32>
// CHECK-NEXT: %[[V6:.*]] = arith.maximumf %[[V3]], %[[V5]] : tensor<64xf32>
// CHECK-NEXT: %[[V7:.*]] = arith.minimumf %[[V6]], %[[ARG1]] : tensor<64xf32>
// CHECK-NEXT: return %[[V7]] : tensor<64xf32>
func.func @clamp(%x: tensor<64x32xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %0 = fusion.broadcast %b dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %1 = arith.maximumf %x, %zero : tensor<64x32xf32>
  %2 = arith.minimumf %1, %0 : tensor<64x32xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=8704, bytesBefore=8704, pointsAfter=2048, pointsBefore=2048, rules="monotone, separate, repeat"}}
  %3 = fusion.reduce maximumf %2 dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  return %3 : tensor<64xf32>
}

// Some are not: not all are.
// CHECK-LABEL: func.func @not(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = arith.constant dense<true> : tensor<64x32xi1>
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce and %[[ARG0]] dims = [1] : tensor<64x32xi1> -> tensor<64xi1>
// CHECK-NEXT: %[[V3:.*]] = arith.constant dense<true> : tensor<i1>
// CHECK-NEXT: %[[V4:.*]] = arith.constant dense<true> : tensor<64xi1>
// CHECK-NEXT: %[[V5:.*]] = arith.xori %[[V2]], %[[V4]] : tensor<64xi1>
// CHECK-NEXT: return %[[V5]] : tensor<64xi1>
func.func @not(%x: tensor<64x32xi1>) -> tensor<64xi1> {
  %true = arith.constant dense<true> : tensor<64x32xi1>
  %0 = arith.xori %x, %true : tensor<64x32xi1>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=2112, bytesBefore=2112, pointsAfter=2048, pointsBefore=2048, rules=complement}}
  %1 = fusion.reduce or %0 dims = [1] : tensor<64x32xi1> -> tensor<64xi1>
  return %1 : tensor<64xi1>
}

// The mask of all ones may be a splat, as it is for dynamic extents.
// CHECK-LABEL: func.func @dynamic_not(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = arith.constant 1 : index
// CHECK-NEXT: %[[V2:.*]] = tensor.dim %[[ARG0]], %[[V1]] : tensor<64x?xi8>
// CHECK-NEXT: %[[V3:.*]] = arith.constant -1 : i8
// CHECK-NEXT: %[[V4:.*]] = tensor.splat %[[V3]][%[[V2]]] : tensor<64x?xi8>
// CHECK-NEXT: %[[V5:.*]] = fusion.reduce minsi %[[ARG0]] dims = [1] : tensor<64x?xi8> -> tensor<64xi8>
// CHECK-NEXT: %[[V6:.*]] = tensor.splat %[[V3]] : tensor<i8>
// CHECK-NEXT: %[[V7:.*]] = fusion.broadcast %[[V6]] dims = [] : tensor<i8> -> tensor<64xi8>
// CHECK-NEXT: %[[V8:.*]] = arith.xori %[[V5]], %[[V7]] : tensor<64xi8>
// CHECK-NEXT: return %[[V8]] : tensor<64xi8>
func.func @dynamic_not(%x: tensor<64x?xi8>) -> tensor<64xi8> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<64x?xi8>
  %m = arith.constant -1 : i8
  %ones = tensor.splat %m[%n] : tensor<64x?xi8>
  %0 = arith.xori %x, %ones : tensor<64x?xi8>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=65600, bytesBefore=65600, pointsAfter=65536, pointsBefore=65536, rules=complement}}
  %1 = fusion.reduce maxsi %0 dims = [1] : tensor<64x?xi8> -> tensor<64xi8>
  return %1 : tensor<64xi8>
}

// CHECK-LABEL: func.func @equal_values(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = arith.constant dense<0> : tensor<i32>
// CHECK-NEXT: %[[V3:.*]] = arith.constant dense<0> : tensor<64xi32>
// CHECK-NEXT: %[[V4:.*]] = arith.muli %[[ARG0]], %[[ARG0]] : tensor<64xi32>
// CHECK-NEXT: %[[V5:.*]] = arith.muli %[[V4]], %[[V4]] : tensor<64xi32>
// CHECK-NEXT: %[[V6:.*]] = arith.muli %[[ARG0]], %[[V5]] : tensor<64xi32>
// CHECK-NEXT: %[[V7:.*]] = arith.constant dense<3.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V8:.*]] = arith.constant dense<3.000000e+00> : tensor<64xf32>
// CHECK-NEXT: %[[V9:.*]] = arith.mulf %[[ARG1]], %[[V8]] : tensor<64xf32>
// CHECK-NEXT: %[[V10:.*]] = arith.mulf %[[ARG1]], %[[ARG1]] fastmath<reassoc> : tensor<64xf32>
// CHECK-NEXT: %[[V11:.*]] = arith.mulf %[[ARG1]], %[[V10]] fastmath<reassoc> : tensor<64xf32>
// CHECK-NEXT: return %[[V3]], %[[ARG0]], %[[V6]], %[[V9]], %[[V11]] : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xf32>, tensor<64xf32>
func.func @equal_values(%b: tensor<64xi32>, %f: tensor<64xf32>) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xf32>, tensor<64xf32>) {
  %0 = fusion.broadcast %b dims = [0] : tensor<64xi32> -> tensor<64x32xi32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=512, bytesBefore=512, pointsAfter=64, pointsBefore=2048, rules=repeat}}
  %1 = fusion.reduce xor %0 dims = [1] : tensor<64x32xi32> -> tensor<64xi32>
  %2 = fusion.broadcast %b dims = [0] : tensor<64xi32> -> tensor<64x5xi32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=512, bytesBefore=512, pointsAfter=64, pointsBefore=320, rules=repeat}}
  %3 = fusion.reduce xor %2 dims = [1] : tensor<64x5xi32> -> tensor<64xi32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=512, bytesBefore=512, pointsAfter=64, pointsBefore=320, rules=repeat}}
  %4 = fusion.reduce mul %2 dims = [1] : tensor<64x5xi32> -> tensor<64xi32>
  // 3 is 2 + 1: a doubling and an addition, whatever the flags.
  %5 = fusion.broadcast %f dims = [0] : tensor<64xf32> -> tensor<64x3xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=512, bytesBefore=512, pointsAfter=64, pointsBefore=192, rules=repeat}}
  %6 = fusion.reduce add %5 dims = [1] : tensor<64x3xf32> -> tensor<64xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=512, bytesBefore=512, pointsAfter=64, pointsBefore=192, rules=repeat}}
  %7 = fusion.reduce mul %5 dims = [1] fastmath<reassoc,nnan,ninf> : tensor<64x3xf32> -> tensor<64xf32>
  return %1, %3, %4, %6, %7 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xf32>, tensor<64xf32>
}

// The norm of b x: b squared comes out, the root stays behind.
// CHECK-LABEL: func.func @norm(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = arith.mulf %[[ARG0]], %[[ARG0]] fastmath<reassoc> : tensor<64x32xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.reduce add %[[V2]] dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V4:.*]] = arith.mulf %[[V3]], %[[ARG1]] fastmath<reassoc> : tensor<64xf32>
// CHECK-NEXT: %[[V5:.*]] = arith.mulf %[[V4]], %[[ARG1]] fastmath<reassoc> : tensor<64xf32>
// CHECK-NEXT: %[[V6:.*]] = math.sqrt %[[V5]] : tensor<64xf32>
// CHECK-NEXT: return %[[V6]] : tensor<64xf32>
func.func @norm(%x: tensor<64x32xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %0 = fusion.broadcast %b dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %1 = arith.mulf %x, %0 fastmath<reassoc> : tensor<64x32xf32>
  %2 = arith.mulf %1, %1 fastmath<reassoc> : tensor<64x32xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=8704, bytesBefore=8704, pointsAfter=2048, pointsBefore=2048, rules=distribute}}
  %3 = fusion.reduce add %2 dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
  %4 = math.sqrt %3 : tensor<64xf32>
  return %4 : tensor<64xf32>
}

// The mean of the means of equally long rows is that of all.
// CHECK-LABEL: func.func @mean_of_means(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = arith.constant dense<3.125000e-02> : tensor<64xf32>
// CHECK-NEXT: %[[V2:.*]] = arith.constant dense<1.562500e-02> : tensor<f32>
// CHECK-NEXT: %[[V3:.*]] = fusion.reduce add %[[ARG0]] dims = [0, 1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<f32>
// CHECK-NEXT: %[[V4:.*]] = arith.constant dense<3.125000e-02> : tensor<f32>
// CHECK-NEXT: %[[V5:.*]] = arith.mulf %[[V3]], %[[V4]] fastmath<reassoc> : tensor<f32>
// CHECK-NEXT: %[[V6:.*]] = arith.mulf %[[V5]], %[[V2]] fastmath<reassoc> : tensor<f32>
// CHECK-NEXT: return %[[V6]] : tensor<f32>
func.func @mean_of_means(%x: tensor<64x32xf32>) -> tensor<f32> {
  %n = arith.constant dense<3.125000e-02> : tensor<64xf32>
  %m = arith.constant dense<1.562500e-02> : tensor<f32>
  %0 = fusion.reduce add %x dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
  %1 = arith.mulf %0, %n fastmath<reassoc> : tensor<64xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=8196, bytesBefore=8196, pointsAfter=2048, pointsBefore=2048, rules="distribute, merge"}}
  %2 = fusion.reduce add %1 dims = [0] fastmath<reassoc> : tensor<64xf32> -> tensor<f32>
  %3 = arith.mulf %2, %m fastmath<reassoc> : tensor<f32>
  return %3 : tensor<f32>
}

// CHECK-LABEL: func.func @integers(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce add %[[ARG0]] dims = [1] : tensor<64x32xi8> -> tensor<64xi8>
// CHECK-NEXT: %[[V3:.*]] = arith.muli %[[V2]], %[[ARG1]] : tensor<64xi8>
// CHECK-NEXT: %[[V4:.*]] = arith.constant dense<32> : tensor<i8>
// CHECK-NEXT: %[[V5:.*]] = arith.constant dense<32> : tensor<64xi8>
// CHECK-NEXT: %[[V6:.*]] = arith.muli %[[ARG1]], %[[V5]] : tensor<64xi8>
// CHECK-NEXT: %[[V7:.*]] = arith.subi %[[V3]], %[[V6]] : tensor<64xi8>
// CHECK-NEXT: %[[V8:.*]] = fusion.reduce mul %[[ARG0]] dims = [1] : tensor<64x32xi8> -> tensor<64xi8>
// CHECK-NEXT: %[[V9:.*]] = arith.muli %[[ARG1]], %[[ARG1]] : tensor<64xi8>
// CHECK-NEXT: %[[V10:.*]] = arith.muli %[[V9]], %[[V9]] : tensor<64xi8>
// CHECK-NEXT: %[[V11:.*]] = arith.muli %[[V10]], %[[V10]] : tensor<64xi8>
// CHECK-NEXT: %[[V12:.*]] = arith.muli %[[V11]], %[[V11]] : tensor<64xi8>
// CHECK-NEXT: %[[V13:.*]] = arith.muli %[[V12]], %[[V12]] : tensor<64xi8>
// CHECK-NEXT: %[[V14:.*]] = arith.muli %[[V8]], %[[V13]] : tensor<64xi8>
// CHECK-NEXT: return %[[V7]], %[[V14]] : tensor<64xi8>, tensor<64xi8>
func.func @integers(%x: tensor<64x32xi8>, %b: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>) {
  %0 = fusion.broadcast %b dims = [0] : tensor<64xi8> -> tensor<64x32xi8>
  %1 = arith.muli %x, %0 overflow<nsw, nuw> : tensor<64x32xi8>
  %2 = arith.subi %1, %0 overflow<nsw> : tensor<64x32xi8>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=2176, bytesBefore=2176, pointsAfter=2048, pointsBefore=2048, rules="separate, distribute, repeat"}}
  %3 = fusion.reduce add %2 dims = [1] : tensor<64x32xi8> -> tensor<64xi8>
  %4 = arith.muli %x, %0 : tensor<64x32xi8>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=2176, bytesBefore=2176, pointsAfter=2048, pointsBefore=2048, rules="separate, repeat"}}
  %5 = fusion.reduce mul %4 dims = [1] : tensor<64x32xi8> -> tensor<64xi8>
  return %3, %5 : tensor<64xi8>, tensor<64xi8>
}

// RUN: fusion-opt %s --fusion-reorder-reductions --remarks-filter='fusion-reorder-reductions' --remark-policy=all -verify-diagnostics -o %t
// RUN: FileCheck %s < %t

// sum over r, s of a[i, r] b[r, s] c[s] d[i], with 100 values of i, 40 of r and
// 50 of s. The three orders:
//   r and s at once:     i r s                  = 200000 points
//   r first:             i r s + i s            = 205000
//   s first:             r s + i r              =   6000
// s first is the cheapest: b c is multiplied and summed over s without i, and
// what is left varies over r alone. d waits until all sums are done.
// CHECK-LABEL: func.func @four_factors(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}}, %[[ARG2:.*]]: {{[^,)]*}}, %[[ARG3:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V4:.*]] = fusion.broadcast %[[ARG2]] dims = [1] : tensor<50xf32> -> tensor<40x50xf32>
// CHECK-NEXT: %[[V5:.*]] = arith.mulf %[[ARG1]], %[[V4]] fastmath<reassoc> : tensor<40x50xf32>
// CHECK-NEXT: %[[V6:.*]] = fusion.reduce add %[[V5]] dims = [1] fastmath<reassoc> : tensor<40x50xf32> -> tensor<40xf32>
// CHECK-NEXT: %[[V7:.*]] = fusion.broadcast %[[V6]] dims = [1] : tensor<40xf32> -> tensor<100x40xf32>
// CHECK-NEXT: %[[V8:.*]] = arith.mulf %[[ARG0]], %[[V7]] fastmath<reassoc> : tensor<100x40xf32>
// CHECK-NEXT: %[[V9:.*]] = fusion.reduce add %[[V8]] dims = [1] fastmath<reassoc> : tensor<100x40xf32> -> tensor<100xf32>
// CHECK-NEXT: %[[V10:.*]] = arith.mulf %[[V9]], %[[ARG3]] fastmath<reassoc> : tensor<100xf32>
// CHECK-NEXT: return %[[V10]] : tensor<100xf32>
func.func @four_factors(%a: tensor<100x40xf32>, %b: tensor<40x50xf32>, %c: tensor<50xf32>, %d: tensor<100xf32>) -> tensor<100xf32> {
  %0 = fusion.broadcast %a dims = [0, 1] : tensor<100x40xf32> -> tensor<100x40x50xf32>
  %1 = fusion.broadcast %b dims = [1, 2] : tensor<40x50xf32> -> tensor<100x40x50xf32>
  %2 = fusion.broadcast %c dims = [2] : tensor<50xf32> -> tensor<100x40x50xf32>
  %3 = fusion.broadcast %d dims = [0] : tensor<100xf32> -> tensor<100x40x50xf32>
  %4 = arith.mulf %0, %1 fastmath<reassoc> : tensor<100x40x50xf32>
  %5 = arith.mulf %2, %3 fastmath<reassoc> : tensor<100x40x50xf32>
  %6 = arith.mulf %4, %5 fastmath<reassoc> : tensor<100x40x50xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=25320, bytesBefore=25000, pointsAfter=6000, pointsBefore=200000, rules=distribute}}
  %7 = fusion.reduce add %6 dims = [1, 2] fastmath<reassoc> : tensor<100x40x50xf32> -> tensor<100xf32>
  return %7 : tensor<100xf32>
}

// a[r] b[r, s] c[s] d[i, s]: now r goes first.
// CHECK-LABEL: func.func @other_order(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}}, %[[ARG2:.*]]: {{[^,)]*}}, %[[ARG3:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V4:.*]] = fusion.broadcast %[[ARG0]] dims = [0] : tensor<40xf32> -> tensor<40x50xf32>
// CHECK-NEXT: %[[V5:.*]] = arith.mulf %[[V4]], %[[ARG1]] fastmath<reassoc> : tensor<40x50xf32>
// CHECK-NEXT: %[[V6:.*]] = fusion.reduce add %[[V5]] dims = [0] fastmath<reassoc> : tensor<40x50xf32> -> tensor<50xf32>
// CHECK-NEXT: %[[V7:.*]] = arith.mulf %[[V6]], %[[ARG2]] fastmath<reassoc> : tensor<50xf32>
// CHECK-NEXT: %[[V8:.*]] = fusion.broadcast %[[V7]] dims = [1] : tensor<50xf32> -> tensor<100x50xf32>
// CHECK-NEXT: %[[V9:.*]] = arith.mulf %[[V8]], %[[ARG3]] fastmath<reassoc> : tensor<100x50xf32>
// CHECK-NEXT: %[[V10:.*]] = fusion.reduce add %[[V9]] dims = [1] fastmath<reassoc> : tensor<100x50xf32> -> tensor<100xf32>
// CHECK-NEXT: return %[[V10]] : tensor<100xf32>
func.func @other_order(%a: tensor<40xf32>, %b: tensor<40x50xf32>, %c: tensor<50xf32>, %d: tensor<100x50xf32>) -> tensor<100xf32> {
  %0 = fusion.broadcast %a dims = [1] : tensor<40xf32> -> tensor<100x40x50xf32>
  %1 = fusion.broadcast %b dims = [1, 2] : tensor<40x50xf32> -> tensor<100x40x50xf32>
  %2 = fusion.broadcast %c dims = [2] : tensor<50xf32> -> tensor<100x40x50xf32>
  %3 = fusion.broadcast %d dims = [0, 2] : tensor<100x50xf32> -> tensor<100x40x50xf32>
  %4 = arith.mulf %0, %1 fastmath<reassoc> : tensor<100x40x50xf32>
  %5 = arith.mulf %2, %3 fastmath<reassoc> : tensor<100x40x50xf32>
  %6 = arith.mulf %4, %5 fastmath<reassoc> : tensor<100x40x50xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=29160, bytesBefore=28760, pointsAfter=7000, pointsBefore=200000, rules=distribute}}
  %7 = fusion.reduce add %6 dims = [1, 2] fastmath<reassoc> : tensor<100x40x50xf32> -> tensor<100xf32>
  return %7 : tensor<100xf32>
}

// RUN: fusion-opt %s --fusion-reorder-reductions --remarks-filter='fusion-reorder-reductions' --remark-policy=all -verify-diagnostics -o %t
// RUN: FileCheck %s --check-prefix=MARK < %t
// RUN: fusion-opt %s --fusion-reorder-reductions --fusion-reorder-reductions=contested=apply | FileCheck %s --check-prefix=APPLY
// RUN: fusion-opt %s --fusion-reorder-reductions --cse | FileCheck %s --check-prefix=CSE
// RUN: not fusion-opt %s --fusion-reorder-reductions=contested=maybe 2>&1 | FileCheck %s --check-prefix=CONTESTED
// RUN: not fusion-opt %s --fusion-reorder-reductions=dynamic-extent=0 2>&1 | FileCheck %s --check-prefix=EXTENT

// CONTESTED: error: expected option 'contested' to be mark or apply, but got 'maybe'
// EXTENT: error: expected option 'dynamic-extent' to be at least 1, but got 0

// The product is a result: it is computed anyway.
// MARK-LABEL: func.func @product_is_result(
// MARK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// MARK-NEXT: %[[V2:.*]] = fusion.broadcast %[[ARG0]] dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
// MARK-NEXT: %[[V3:.*]] = fusion.broadcast %[[ARG1]] dims = [0, 2] : tensor<64x128xf32> -> tensor<64x32x128xf32>
// MARK-NEXT: %[[V4:.*]] = arith.mulf %[[V2]], %[[V3]] fastmath<reassoc> : tensor<64x32x128xf32>
// MARK-NEXT: %[[V5:.*]] = fusion.reduce add %[[V4]] dims = [1] fastmath<reassoc> {fusion.contested = "distribute"} : tensor<64x32x128xf32> -> tensor<64x128xf32>
// MARK-NEXT: return %[[V4]], %[[V5]] : tensor<64x32x128xf32>, tensor<64x128xf32>
// APPLY-LABEL: func.func @product_is_result(
// APPLY: fusion.reduce add %{{.*}} dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
func.func @product_is_result(%x: tensor<64x32xf32>, %b: tensor<64x128xf32>) -> (tensor<64x32x128xf32>, tensor<64x128xf32>) {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
  %1 = fusion.broadcast %b dims = [0, 2] : tensor<64x128xf32> -> tensor<64x32x128xf32>
  %2 = arith.mulf %0, %1 fastmath<reassoc> : tensor<64x32x128xf32>
  // expected-remark@+1 {{[Missed] contested | Category:fusion-reorder-reductions | Reason="other operations use what is reduced, so it stays beside the rewritten reduction", bytesAfter=74240, bytesBefore=1081344, pointsAfter=10240, pointsBefore=262144, rules=distribute}}
  %3 = fusion.reduce add %2 dims = [1] fastmath<reassoc> : tensor<64x32x128xf32> -> tensor<64x128xf32>
  return %2, %3 : tensor<64x32x128xf32>, tensor<64x128xf32>
}

// Only reductions use the product, and all of them are rewritten.
// MARK-LABEL: func.func @two_sums(
// MARK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// MARK-NEXT: %[[V2:.*]] = fusion.reduce add %[[ARG1]] dims = [1] fastmath<reassoc> : tensor<64x128xf32> -> tensor<64xf32>
// MARK-NEXT: %[[V3:.*]] = fusion.broadcast %[[V2]] dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
// MARK-NEXT: %[[V4:.*]] = arith.mulf %[[ARG0]], %[[V3]] fastmath<reassoc> : tensor<64x32xf32>
// MARK-NEXT: %[[V5:.*]] = fusion.reduce add %[[ARG0]] dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
// MARK-NEXT: %[[V6:.*]] = fusion.broadcast %[[V5]] dims = [0] : tensor<64xf32> -> tensor<64x128xf32>
// MARK-NEXT: %[[V7:.*]] = arith.mulf %[[V6]], %[[ARG1]] fastmath<reassoc> : tensor<64x128xf32>
// MARK-NEXT: return %[[V4]], %[[V7]] : tensor<64x32xf32>, tensor<64x128xf32>
func.func @two_sums(%x: tensor<64x32xf32>, %b: tensor<64x128xf32>) -> (tensor<64x32xf32>, tensor<64x128xf32>) {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
  %1 = fusion.broadcast %b dims = [0, 2] : tensor<64x128xf32> -> tensor<64x32x128xf32>
  %2 = arith.mulf %0, %1 fastmath<reassoc> : tensor<64x32x128xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=49664, bytesBefore=49152, pointsAfter=10240, pointsBefore=262144, rules=distribute}}
  %3 = fusion.reduce add %2 dims = [2] fastmath<reassoc> : tensor<64x32x128xf32> -> tensor<64x32xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=74240, bytesBefore=73728, pointsAfter=10240, pointsBefore=262144, rules=distribute}}
  %4 = fusion.reduce add %2 dims = [1] fastmath<reassoc> : tensor<64x32x128xf32> -> tensor<64x128xf32>
  return %3, %4 : tensor<64x32xf32>, tensor<64x128xf32>
}

// One of two stays, since it may not be reordered: so the product stays, and
// rewriting the other one is a trade.
// MARK-LABEL: func.func @one_of_two(
// MARK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// MARK-NEXT: %[[V2:.*]] = fusion.broadcast %[[ARG0]] dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
// MARK-NEXT: %[[V3:.*]] = fusion.broadcast %[[ARG1]] dims = [0, 2] : tensor<64x128xf32> -> tensor<64x32x128xf32>
// MARK-NEXT: %[[V4:.*]] = arith.mulf %[[V2]], %[[V3]] fastmath<reassoc> : tensor<64x32x128xf32>
// MARK-NEXT: %[[V5:.*]] = fusion.reduce add %[[V4]] dims = [2] : tensor<64x32x128xf32> -> tensor<64x32xf32>
// MARK-NEXT: %[[V6:.*]] = fusion.reduce add %[[V4]] dims = [1] fastmath<reassoc> {fusion.contested = "distribute"} : tensor<64x32x128xf32> -> tensor<64x128xf32>
// MARK-NEXT: return %[[V5]], %[[V6]] : tensor<64x32xf32>, tensor<64x128xf32>
// APPLY-LABEL: func.func @one_of_two(
// APPLY: fusion.reduce add %{{.*}} dims = [2] : tensor<64x32x128xf32>
// APPLY: fusion.reduce add %{{.*}} dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
func.func @one_of_two(%x: tensor<64x32xf32>, %b: tensor<64x128xf32>) -> (tensor<64x32xf32>, tensor<64x128xf32>) {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
  %1 = fusion.broadcast %b dims = [0, 2] : tensor<64x128xf32> -> tensor<64x32x128xf32>
  %2 = arith.mulf %0, %1 fastmath<reassoc> : tensor<64x32x128xf32>
  %3 = fusion.reduce add %2 dims = [2] : tensor<64x32x128xf32> -> tensor<64x32xf32>
  // expected-remark@+1 {{[Missed] contested | Category:fusion-reorder-reductions | Reason="other operations use what is reduced, so it stays beside the rewritten reduction", bytesAfter=74240, bytesBefore=1081344, pointsAfter=10240, pointsBefore=262144, rules=distribute}}
  %4 = fusion.reduce add %2 dims = [1] fastmath<reassoc> : tensor<64x32x128xf32> -> tensor<64x128xf32>
  return %3, %4 : tensor<64x32xf32>, tensor<64x128xf32>
}

// Equal sums come out of different products.
// MARK-LABEL: func.func @equal_sums(
// MARK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}}, %[[ARG2:.*]]: {{[^,)]*}})
// MARK-NEXT: %[[V3:.*]] = fusion.reduce add %[[ARG0]] dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
// MARK-NEXT: %[[V4:.*]] = arith.mulf %[[V3]], %[[ARG1]] fastmath<reassoc> : tensor<64xf32>
// MARK-NEXT: %[[V5:.*]] = fusion.reduce add %[[ARG0]] dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
// MARK-NEXT: %[[V6:.*]] = arith.mulf %[[V5]], %[[ARG2]] fastmath<reassoc> : tensor<64xf32>
// MARK-NEXT: return %[[V4]], %[[V6]] : tensor<64xf32>, tensor<64xf32>
// One is left: factors taken out make reductions equal.
// CSE-LABEL: func.func @equal_sums(
// CSE-COUNT-1: fusion.reduce
// CSE-NOT: fusion.reduce
func.func @equal_sums(%x: tensor<64x32xf32>, %a: tensor<64xf32>, %b: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = fusion.broadcast %a dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %1 = fusion.broadcast %b dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
  %2 = arith.mulf %x, %0 fastmath<reassoc> : tensor<64x32xf32>
  %3 = arith.mulf %x, %1 fastmath<reassoc> : tensor<64x32xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=8704, bytesBefore=8704, pointsAfter=2048, pointsBefore=2048, rules=distribute}}
  %4 = fusion.reduce add %2 dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
  // expected-remark@+1 {{[Passed] reorder | Category:fusion-reorder-reductions | bytesAfter=8704, bytesBefore=8704, pointsAfter=2048, pointsBefore=2048, rules=distribute}}
  %5 = fusion.reduce add %3 dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
  return %4, %5 : tensor<64xf32>, tensor<64xf32>
}

// RUN: fusion-opt %s --fusion-split-reductions --remarks-filter='fusion-split-reductions' --remark-policy=all -verify-diagnostics -o %t
// RUN: FileCheck %s < %t

// The greatest magnitude of a normalised tensor, rounded: the maximum reads the
// rounded values, and partial results have their type.
// CHECK-LABEL: func.func @amax(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce add %[[ARG0]] dims = [1] : tensor<16x64xf32> -> tensor<16xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[V1]] dims = [0] : tensor<16xf32> -> tensor<16x64xf32>
// CHECK-NEXT: %[[V3:.*]] = arith.subf %[[ARG0]], %[[V2]] : tensor<16x64xf32>
// CHECK-NEXT: %[[V4:.*]] = arith.truncf %[[V3]] : tensor<16x64xf32> to tensor<16x64xbf16>
// CHECK-NEXT: %[[V5:.*]] = math.absf %[[V4]] : tensor<16x64xbf16>
// CHECK-NEXT: %[[V6:.*]] = fusion.reduce maximumf %[[V5]] dims = [1] : tensor<16x64xbf16> -> tensor<16xbf16>
// CHECK-NEXT: %[[V7:.*]] = fusion.reduce maximumf %[[V6]] dims = [0] : tensor<16xbf16> -> tensor<bf16>
// CHECK-NEXT: return %[[V4]], %[[V7]] : tensor<16x64xbf16>, tensor<bf16>
func.func @amax(%x: tensor<16x64xf32>) -> (tensor<16x64xbf16>, tensor<bf16>) {
  %0 = fusion.reduce add %x dims = [1] : tensor<16x64xf32> -> tensor<16xf32>
  %1 = fusion.broadcast %0 dims = [0] : tensor<16xf32> -> tensor<16x64xf32>
  %2 = arith.subf %x, %1 : tensor<16x64xf32>
  %3 = arith.truncf %2 : tensor<16x64xf32> to tensor<16x64xbf16>
  %4 = math.absf %3 : tensor<16x64xbf16>
  // expected-remark@+1 {{[Passed] split | Category:fusion-split-reductions | bytesAfter=66, bytesBefore=2050, partials=tensor<16xbf16>, pointsAfter=1040, pointsBefore=1024}}
  %5 = fusion.reduce maximumf %4 dims = [0, 1] : tensor<16x64xbf16> -> tensor<bf16>
  return %3, %5 : tensor<16x64xbf16>, tensor<bf16>
}

// Partial sums keep the accumulator's type; the total is rounded once.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce maximumf %[[ARG0]] dims = [1] : tensor<16x64xf16> -> tensor<16xf16>
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[V1]] dims = [0] : tensor<16xf16> -> tensor<16x64xf16>
// CHECK-NEXT: %[[V3:.*]] = arith.subf %[[ARG0]], %[[V2]] : tensor<16x64xf16>
// CHECK-NEXT: %[[V4:.*]] = fusion.reduce add %[[V3]] dims = [1] fastmath<reassoc> : tensor<16x64xf16> -> tensor<16xf32>
// CHECK-NEXT: %[[V5:.*]] = fusion.reduce add %[[V4]] dims = [0] fastmath<reassoc> : tensor<16xf32> -> tensor<f32>
// CHECK-NEXT: %[[V6:.*]] = arith.truncf %[[V5]] : tensor<f32> to tensor<f16>
// CHECK-NEXT: return %[[V6]] : tensor<f16>
func.func @sum(%x: tensor<16x64xf16>) -> tensor<f16> {
  %0 = fusion.reduce maximumf %x dims = [1] : tensor<16x64xf16> -> tensor<16xf16>
  %1 = fusion.broadcast %0 dims = [0] : tensor<16xf16> -> tensor<16x64xf16>
  %2 = arith.subf %x, %1 : tensor<16x64xf16>
  // expected-remark@+1 {{[Passed] split | Category:fusion-split-reductions | bytesAfter=130, bytesBefore=2050, partials=tensor<16xf32>, pointsAfter=1040, pointsBefore=1024}}
  %3 = fusion.reduce add %2 dims = [0, 1] fastmath<reassoc> : tensor<16x64xf16> -> tensor<f16>
  return %3 : tensor<f16>
}

// Through a reshape of the rows; a kept dimension stays.
// CHECK-LABEL: func.func @reshaped(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce add %[[ARG0]] dims = [3] : tensor<2x8x4x64xf32> -> tensor<2x8x4xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[V1]] dims = [0, 1, 2] : tensor<2x8x4xf32> -> tensor<2x8x4x64xf32>
// CHECK-NEXT: %[[V3:.*]] = arith.divf %[[ARG0]], %[[V2]] : tensor<2x8x4x64xf32>
// CHECK-NEXT: %[[V4:.*]] = tensor.collapse_shape %[[V3]] {{.*}} : tensor<2x8x4x64xf32> into tensor<16x4x64xf32>
// CHECK-NEXT: %[[V5:.*]] = fusion.reduce maximumf %[[V4]] dims = [2] : tensor<16x4x64xf32> -> tensor<16x4xf32>
// CHECK-NEXT: %[[V6:.*]] = fusion.reduce maximumf %[[V5]] dims = [0] : tensor<16x4xf32> -> tensor<4xf32>
// CHECK-NEXT: return %[[V6]] : tensor<4xf32>
func.func @reshaped(%x: tensor<2x8x4x64xf32>) -> tensor<4xf32> {
  %0 = fusion.reduce add %x dims = [3] : tensor<2x8x4x64xf32> -> tensor<2x8x4xf32>
  %1 = fusion.broadcast %0 dims = [0, 1, 2] : tensor<2x8x4xf32> -> tensor<2x8x4x64xf32>
  %2 = arith.divf %x, %1 : tensor<2x8x4x64xf32>
  %3 = tensor.collapse_shape %2 [[0, 1], [2], [3]] : tensor<2x8x4x64xf32> into tensor<16x4x64xf32>
  // expected-remark@+1 {{[Passed] split | Category:fusion-split-reductions | bytesAfter=528, bytesBefore=16400, partials=tensor<16x4xf32>, pointsAfter=4160, pointsBefore=4096}}
  %4 = fusion.reduce maximumf %3 dims = [0, 2] : tensor<16x4x64xf32> -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// Columns first, where columns were reduced before.
// CHECK-LABEL: func.func @columns(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce add %[[ARG0]] dims = [0] : tensor<64x16xf32> -> tensor<16xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[V1]] dims = [1] : tensor<16xf32> -> tensor<64x16xf32>
// CHECK-NEXT: %[[V3:.*]] = arith.subf %[[ARG0]], %[[V2]] : tensor<64x16xf32>
// CHECK-NEXT: %[[V4:.*]] = fusion.reduce maximumf %[[V3]] dims = [0] : tensor<64x16xf32> -> tensor<16xf32>
// CHECK-NEXT: %[[V5:.*]] = fusion.reduce maximumf %[[V4]] dims = [0] : tensor<16xf32> -> tensor<f32>
// CHECK-NEXT: return %[[V5]] : tensor<f32>
func.func @columns(%x: tensor<64x16xf32>) -> tensor<f32> {
  %0 = fusion.reduce add %x dims = [0] : tensor<64x16xf32> -> tensor<16xf32>
  %1 = fusion.broadcast %0 dims = [1] : tensor<16xf32> -> tensor<64x16xf32>
  %2 = arith.subf %x, %1 : tensor<64x16xf32>
  // expected-remark@+1 {{[Passed] split | Category:fusion-split-reductions | bytesAfter=132, bytesBefore=4100, partials=tensor<16xf32>, pointsAfter=1040, pointsBefore=1024}}
  %3 = fusion.reduce maximumf %2 dims = [0, 1] : tensor<64x16xf32> -> tensor<f32>
  return %3 : tensor<f32>
}

// A reduction beside it.
// CHECK-LABEL: func.func @beside(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce maximumf %[[ARG0]] dims = [1] : tensor<?x64xf32> -> tensor<?xf32>
// CHECK-NEXT: %[[V2:.*]] = arith.mulf %[[ARG0]], %[[ARG0]] : tensor<?x64xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.reduce add %[[V2]] dims = [1] : tensor<?x64xf32> -> tensor<?xf32>
// CHECK-NEXT: %[[V4:.*]] = fusion.reduce add %[[V3]] dims = [0] : tensor<?xf32> -> tensor<f32>
// CHECK-NEXT: return %[[V1]], %[[V4]] : tensor<?xf32>, tensor<f32>
func.func @beside(%x: tensor<?x64xf32>) -> (tensor<?xf32>, tensor<f32>) {
  %0 = fusion.reduce maximumf %x dims = [1] : tensor<?x64xf32> -> tensor<?xf32>
  %1 = arith.mulf %x, %x : tensor<?x64xf32>
  // expected-remark@+1 {{[Passed] split | Category:fusion-split-reductions | bytesAfter=12, bytesBefore=260, partials=tensor<?xf32>, pointsAfter=65, pointsBefore=64}}
  %2 = fusion.reduce add %1 dims = [0, 1] : tensor<?x64xf32> -> tensor<f32>
  return %0, %2 : tensor<?xf32>, tensor<f32>
}

// Totals of rows and of columns: no stage is aligned with both.
// CHECK-LABEL: func.func @disagreement(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce add %[[ARG0]] dims = [1] : tensor<16x64xf32> -> tensor<16xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce add %[[ARG0]] dims = [0] : tensor<16x64xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.broadcast %[[V1]] dims = [0] : tensor<16xf32> -> tensor<16x64xf32>
// CHECK-NEXT: %[[V4:.*]] = fusion.broadcast %[[V2]] dims = [1] : tensor<64xf32> -> tensor<16x64xf32>
// CHECK-NEXT: %[[V5:.*]] = arith.addf %[[V3]], %[[V4]] : tensor<16x64xf32>
// CHECK-NEXT: %[[V6:.*]] = fusion.reduce maximumf %[[V5]] dims = [0, 1] : tensor<16x64xf32> -> tensor<f32>
// CHECK-NEXT: return %[[V6]] : tensor<f32>
func.func @disagreement(%x: tensor<16x64xf32>) -> tensor<f32> {
  %0 = fusion.reduce add %x dims = [1] : tensor<16x64xf32> -> tensor<16xf32>
  %1 = fusion.reduce add %x dims = [0] : tensor<16x64xf32> -> tensor<64xf32>
  %2 = fusion.broadcast %0 dims = [0] : tensor<16xf32> -> tensor<16x64xf32>
  %3 = fusion.broadcast %1 dims = [1] : tensor<64xf32> -> tensor<16x64xf32>
  %4 = arith.addf %2, %3 : tensor<16x64xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-split-reductions | Reason="expected the reductions before it to reduce the same dimensions"}}
  %5 = fusion.reduce maximumf %4 dims = [0, 1] : tensor<16x64xf32> -> tensor<f32>
  return %5 : tensor<f32>
}

// The reduction before it removes a dimension that this one keeps.
// CHECK-LABEL: func.func @kept(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce add %[[ARG0]] dims = [1, 2] : tensor<4x16x64xf32> -> tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[V1]] dims = [0] : tensor<4xf32> -> tensor<4x16x64xf32>
// CHECK-NEXT: %[[V3:.*]] = arith.subf %[[ARG0]], %[[V2]] : tensor<4x16x64xf32>
// CHECK-NEXT: %[[V4:.*]] = fusion.reduce maximumf %[[V3]] dims = [0, 1] : tensor<4x16x64xf32> -> tensor<64xf32>
// CHECK-NEXT: return %[[V4]] : tensor<64xf32>
func.func @kept(%x: tensor<4x16x64xf32>) -> tensor<64xf32> {
  %0 = fusion.reduce add %x dims = [1, 2] : tensor<4x16x64xf32> -> tensor<4xf32>
  %1 = fusion.broadcast %0 dims = [0] : tensor<4xf32> -> tensor<4x16x64xf32>
  %2 = arith.subf %x, %1 : tensor<4x16x64xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-split-reductions | Reason="expected to reduce every dimension that the reduction before it reduces"}}
  %3 = fusion.reduce maximumf %2 dims = [0, 1] : tensor<4x16x64xf32> -> tensor<64xf32>
  return %3 : tensor<64xf32>
}

// CHECK-LABEL: func.func @alone(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce maximumf %[[ARG0]] dims = [0, 1] : tensor<16x64xf32> -> tensor<f32>
// CHECK-NEXT: return %[[V1]] : tensor<f32>
func.func @alone(%x: tensor<16x64xf32>) -> tensor<f32> {
  // expected-remark@+1 {{[Missed] declined | Category:fusion-split-reductions | Reason="expected a reduction over some of its dimensions before it or beside it"}}
  %0 = fusion.reduce maximumf %x dims = [0, 1] : tensor<16x64xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// Two elements for each partial result, which is twice as wide.
// CHECK-LABEL: func.func @no_gain(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce maximumf %[[ARG0]] dims = [1] : tensor<16x2xf16> -> tensor<16xf16>
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[V1]] dims = [0] : tensor<16xf16> -> tensor<16x2xf16>
// CHECK-NEXT: %[[V3:.*]] = arith.subf %[[ARG0]], %[[V2]] : tensor<16x2xf16>
// CHECK-NEXT: %[[V4:.*]] = fusion.reduce add %[[V3]] dims = [0, 1] : tensor<16x2xf16> -> tensor<f32>
// CHECK-NEXT: return %[[V4]] : tensor<f32>
func.func @no_gain(%x: tensor<16x2xf16>) -> tensor<f32> {
  %0 = fusion.reduce maximumf %x dims = [1] : tensor<16x2xf16> -> tensor<16xf16>
  %1 = fusion.broadcast %0 dims = [0] : tensor<16xf16> -> tensor<16x2xf16>
  %2 = arith.subf %x, %1 : tensor<16x2xf16>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-split-reductions | Reason="expected more than 4 elements for each partial result, but got 2"}}
  %3 = fusion.reduce add %2 dims = [0, 1] : tensor<16x2xf16> -> tensor<f32>
  return %3 : tensor<f32>
}

// Aligned already, and one dimension only.
// CHECK-LABEL: func.func @aligned(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce add %[[ARG0]] dims = [1, 2] : tensor<4x16x64xf32> -> tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.broadcast %[[V1]] dims = [0] : tensor<4xf32> -> tensor<4x16x64xf32>
// CHECK-NEXT: %[[V3:.*]] = arith.subf %[[ARG0]], %[[V2]] : tensor<4x16x64xf32>
// CHECK-NEXT: %[[V4:.*]] = fusion.reduce maximumf %[[V3]] dims = [1, 2] : tensor<4x16x64xf32> -> tensor<4xf32>
// CHECK-NEXT: return %[[V4]] : tensor<4xf32>
func.func @aligned(%x: tensor<4x16x64xf32>) -> tensor<4xf32> {
  %0 = fusion.reduce add %x dims = [1, 2] : tensor<4x16x64xf32> -> tensor<4xf32>
  %1 = fusion.broadcast %0 dims = [0] : tensor<4xf32> -> tensor<4x16x64xf32>
  %2 = arith.subf %x, %1 : tensor<4x16x64xf32>
  %3 = fusion.reduce maximumf %2 dims = [1, 2] : tensor<4x16x64xf32> -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// A reduction of one dimension after another: nothing to split.
// CHECK-LABEL: func.func @in_a_row(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = fusion.reduce maximumf %[[ARG0]] dims = [1] : tensor<16x64xf32> -> tensor<16xf32>
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce maximumf %[[V1]] dims = [0] : tensor<16xf32> -> tensor<f32>
// CHECK-NEXT: return %[[V2]] : tensor<f32>
func.func @in_a_row(%x: tensor<16x64xf32>) -> tensor<f32> {
  %0 = fusion.reduce maximumf %x dims = [1] : tensor<16x64xf32> -> tensor<16xf32>
  %1 = fusion.reduce maximumf %0 dims = [0] : tensor<16xf32> -> tensor<f32>
  return %1 : tensor<f32>
}

// The count of n equal elements has no flag to be a product, and the sums of the
// rows would all be the same.
// CHECK-LABEL: func.func @repeated(
// CHECK: %[[B:.*]] = fusion.broadcast
// CHECK: fusion.reduce add %[[B]] dims = [0, 1] : tensor<16x64xf32> -> tensor<f32>
func.func @repeated(%x: tensor<16x64xf32>, %b: tensor<f32>) -> (tensor<16xf32>, tensor<f32>) {
  %0 = fusion.reduce add %x dims = [1] : tensor<16x64xf32> -> tensor<16xf32>
  %1 = fusion.broadcast %b dims = [] : tensor<f32> -> tensor<16x64xf32>
  %2 = arith.addf %x, %1 : tensor<16x64xf32>
  %3 = fusion.reduce add %2 dims = [1] : tensor<16x64xf32> -> tensor<16xf32>
  // expected-remark@+1 {{[Missed] declined | Category:fusion-split-reductions | Reason="expected an operand that varies along dimension 0, but a broadcast repeats it"}}
  %4 = fusion.reduce add %1 dims = [0, 1] : tensor<16x64xf32> -> tensor<f32>
  return %3, %4 : tensor<16xf32>, tensor<f32>
}

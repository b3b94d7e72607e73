// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// nvFuser 1126: a reshape that merges an expanded dimension with another: v, 4096 4
// bytes, is read as it is and never as the 4096 512 4 = 8388608 bytes that it looks
// like; x is read and the sum written: 16793600.
// CHECK-LABEL: plan of @merged_expanded_dimension: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 16793600 bytes, 0 of them between segments
func.func @merged_expanded_dimension(%v: tensor<4096xf32>, %x: tensor<2097152xf32>) -> tensor<2097152xf32> {
  %0 = fusion.broadcast %v dims = [0] : tensor<4096xf32> -> tensor<4096x512xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4096x512xf32> into tensor<2097152xf32>
  %2 = arith.addf %1, %x fastmath<contract> : tensor<2097152xf32>
  return %2 : tensor<2097152xf32>
}

// nvFuser 1174: a reshape that splits an expanded dimension: v, 512 4 bytes, is read as it
// is; x is read and the sum written: 2 (512 64 64 4) + 2048 = 16779264.
// CHECK-LABEL: plan of @split_expanded_dimension: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 16779264 bytes, 0 of them between segments
func.func @split_expanded_dimension(%v: tensor<512xf32>, %x: tensor<512x64x64xf32>) -> tensor<512x64x64xf32> {
  %0 = fusion.broadcast %v dims = [0] : tensor<512xf32> -> tensor<512x4096xf32>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [512, 64, 64] : tensor<512x4096xf32> into tensor<512x64x64xf32>
  %2 = arith.addf %1, %x : tensor<512x64x64xf32>
  return %2 : tensor<512x64x64xf32>
}

// nvFuser 4840: three sums over the batch and the heads of one tensor of 8 1024 16 128 2
// = 33554432 bytes, which is read once; two tables and three results of 1024 128 4 =
// 524288 bytes each; partial sums would be less than as much again:
// 33554432 + 5 524288 = 36175872 bytes and at most 4 MB more.
// CHECK-LABEL: plan of @rotary_sums: 1 segment, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves {{((3[67]|38|39|40)[0-9]{6})}} bytes, 0 of them between segments
func.func @rotary_sums(%x: tensor<8x1024x16x128xbf16>, %cos: tensor<1024x128xf32>, %sin: tensor<1024x128xf32>) -> (tensor<1024x128xf32>, tensor<1024x128xf32>, tensor<1024x128xf32>) {
  %0 = arith.extf %x : tensor<8x1024x16x128xbf16> to tensor<8x1024x16x128xf32>
  %1 = fusion.broadcast %cos dims = [1, 3] : tensor<1024x128xf32> -> tensor<8x1024x16x128xf32>
  %2 = arith.mulf %0, %1 fastmath<contract> : tensor<8x1024x16x128xf32>
  %3 = fusion.reduce add %2 dims = [0, 2] : tensor<8x1024x16x128xf32> -> tensor<1024x128xf32>
  %4 = fusion.broadcast %sin dims = [1, 3] : tensor<1024x128xf32> -> tensor<8x1024x16x128xf32>
  %5 = arith.mulf %0, %4 fastmath<contract> : tensor<8x1024x16x128xf32>
  %6 = fusion.reduce add %5 dims = [0, 2] : tensor<8x1024x16x128xf32> -> tensor<1024x128xf32>
  %7 = fusion.reduce add %0 dims = [0, 2] : tensor<8x1024x16x128xf32> -> tensor<1024x128xf32>
  return %3, %6, %7 : tensor<1024x128xf32>, tensor<1024x128xf32>, tensor<1024x128xf32>
}

// Thunder 1559: a program of views alone. Nothing is computed; a result is the caller's
// own, so that it is a copy: 2 (64 128 2048 4) = 134217728 bytes, once for all views.
// CHECK-LABEL: plan of @views_alone: 1 segment, 1 launch, 2 operations outside segments
// CHECK: moves 134217728 bytes, 0 of them between segments
func.func @views_alone(%x: tensor<64x128x2048xf32>) -> tensor<512x1x32768xf32> {
  %0 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<64x128x2048xf32> into tensor<16777216xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [512, 32768] : tensor<16777216xf32> into tensor<512x32768xf32>
  %2 = fusion.broadcast %1 dims = [0, 2] : tensor<512x32768xf32> -> tensor<512x1x32768xf32>
  return %2 : tensor<512x1x32768xf32>
}

// The same between two computations costs nothing: x and y are read, the sum and exp(x)
// written: 4 67108864 = 268435456 bytes.
// CHECK-LABEL: plan of @views_between: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 268435456 bytes, 0 of them between segments
func.func @views_between(%x: tensor<64x128x2048xf32>, %y: tensor<512x32768xf32>) -> (tensor<512x32768xf32>, tensor<64x128x2048xf32>) {
  %e = math.exp %x : tensor<64x128x2048xf32>
  %0 = tensor.collapse_shape %e [[0, 1, 2]] : tensor<64x128x2048xf32> into tensor<16777216xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [512, 32768] : tensor<16777216xf32> into tensor<512x32768xf32>
  %2 = arith.addf %1, %y : tensor<512x32768xf32>
  return %2, %e : tensor<512x32768xf32>, tensor<64x128x2048xf32>
}

// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// 32 channels in 8 groups: the reshape splits the channels, and each group of
// 4 64 64 elements is a row. x is read once, y written once, scale and shift of a
// channel once: 2 (8 32 64 64 2) + 2 (32 2) = 4194304 + 128 = 4194432 bytes.
// CHECK-LABEL: plan of @group_norm: 1 segment, 1 launch, 1 operation outside segments
// CHECK: moves 4194432 bytes, 0 of them between segments
func.func @group_norm(%x: tensor<8x32x64x64xbf16>, %gamma: tensor<32xbf16>, %beta: tensor<32xbf16>) -> tensor<8x32x64x64xbf16> {
  %0 = tensor.expand_shape %x [[0], [1, 2], [3], [4]] output_shape [8, 8, 4, 64, 64] : tensor<8x32x64x64xbf16> into tensor<8x8x4x64x64xbf16>
  %1 = arith.extf %0 : tensor<8x8x4x64x64xbf16> to tensor<8x8x4x64x64xf32>
  %2 = fusion.reduce add %1 dims = [2, 3, 4] : tensor<8x8x4x64x64xf32> -> tensor<8x8xf32>
  %3 = arith.constant dense<6.103515625e-05> : tensor<8x8xf32>
  %4 = arith.mulf %2, %3 fastmath<contract> : tensor<8x8xf32>
  %5 = fusion.broadcast %4 dims = [0, 1] : tensor<8x8xf32> -> tensor<8x8x4x64x64xf32>
  %6 = arith.subf %1, %5 fastmath<contract> : tensor<8x8x4x64x64xf32>
  %7 = arith.mulf %6, %6 fastmath<contract> : tensor<8x8x4x64x64xf32>
  %8 = fusion.reduce add %7 dims = [2, 3, 4] : tensor<8x8x4x64x64xf32> -> tensor<8x8xf32>
  %9 = arith.constant dense<6.103515625e-05> : tensor<8x8xf32>
  %10 = arith.mulf %8, %9 fastmath<contract> : tensor<8x8xf32>
  %11 = arith.constant dense<1.000000000e-05> : tensor<8x8xf32>
  %12 = arith.addf %10, %11 fastmath<contract> : tensor<8x8xf32>
  %13 = math.rsqrt %12 : tensor<8x8xf32>
  %14 = fusion.broadcast %13 dims = [0, 1] : tensor<8x8xf32> -> tensor<8x8x4x64x64xf32>
  %15 = arith.mulf %6, %14 fastmath<contract> : tensor<8x8x4x64x64xf32>
  %16 = tensor.collapse_shape %15 [[0], [1, 2], [3], [4]] : tensor<8x8x4x64x64xf32> into tensor<8x32x64x64xf32>
  %17 = arith.extf %gamma : tensor<32xbf16> to tensor<32xf32>
  %18 = fusion.broadcast %17 dims = [1] : tensor<32xf32> -> tensor<8x32x64x64xf32>
  %19 = arith.mulf %16, %18 fastmath<contract> : tensor<8x32x64x64xf32>
  %20 = arith.extf %beta : tensor<32xbf16> to tensor<32xf32>
  %21 = fusion.broadcast %20 dims = [1] : tensor<32xf32> -> tensor<8x32x64x64xf32>
  %22 = arith.addf %19, %21 fastmath<contract> : tensor<8x32x64x64xf32>
  %23 = arith.truncf %22 : tensor<8x32x64x64xf32> to tensor<8x32x64x64xbf16>
  return %23 : tensor<8x32x64x64xbf16>
}

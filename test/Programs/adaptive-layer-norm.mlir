// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// nvFuser 2146: layer norm of [8, 256, 1152] with a scale and a shift for each
// sample, which vary along the batch and the columns and not along the sequence. One
// kernel: x read once, y written once, scale and shift once.
// 2 (8 256 1152 2) + 2 (8 1152 2) = 9437184 + 36864 = 9474048 bytes.
// CHECK-LABEL: plan of @adaptive_layer_norm: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 9474048 bytes, 0 of them between segments
func.func @adaptive_layer_norm(%x: tensor<8x256x1152xbf16>, %scale: tensor<8x1x1152xbf16>, %shift: tensor<8x1x1152xbf16>) -> tensor<8x256x1152xbf16> {
  %0 = arith.extf %x : tensor<8x256x1152xbf16> to tensor<8x256x1152xf32>
  %1 = fusion.reduce add %0 dims = [2] : tensor<8x256x1152xf32> -> tensor<8x256xf32>
  %2 = arith.constant dense<8.680555556e-04> : tensor<8x256xf32>
  %3 = arith.mulf %1, %2 fastmath<contract> : tensor<8x256xf32>
  %4 = fusion.broadcast %3 dims = [0, 1] : tensor<8x256xf32> -> tensor<8x256x1152xf32>
  %5 = arith.subf %0, %4 fastmath<contract> : tensor<8x256x1152xf32>
  %6 = arith.mulf %5, %5 fastmath<contract> : tensor<8x256x1152xf32>
  %7 = fusion.reduce add %6 dims = [2] : tensor<8x256x1152xf32> -> tensor<8x256xf32>
  %8 = arith.constant dense<8.680555556e-04> : tensor<8x256xf32>
  %9 = arith.mulf %7, %8 fastmath<contract> : tensor<8x256xf32>
  %10 = arith.constant dense<1.000000000e-05> : tensor<8x256xf32>
  %11 = arith.addf %9, %10 fastmath<contract> : tensor<8x256xf32>
  %12 = math.rsqrt %11 : tensor<8x256xf32>
  %13 = fusion.broadcast %12 dims = [0, 1] : tensor<8x256xf32> -> tensor<8x256x1152xf32>
  %14 = arith.mulf %5, %13 fastmath<contract> : tensor<8x256x1152xf32>
  %15 = arith.constant dense<1.000000e+00> : tensor<8x1x1152xf32>
  %16 = arith.extf %scale : tensor<8x1x1152xbf16> to tensor<8x1x1152xf32>
  %17 = arith.addf %16, %15 fastmath<contract> : tensor<8x1x1152xf32>
  %18 = fusion.broadcast %17 dims = [0, 1, 2] : tensor<8x1x1152xf32> -> tensor<8x256x1152xf32>
  %19 = arith.mulf %14, %18 fastmath<contract> : tensor<8x256x1152xf32>
  %20 = arith.extf %shift : tensor<8x1x1152xbf16> to tensor<8x1x1152xf32>
  %21 = fusion.broadcast %20 dims = [0, 1, 2] : tensor<8x1x1152xf32> -> tensor<8x256x1152xf32>
  %22 = arith.addf %19, %21 fastmath<contract> : tensor<8x256x1152xf32>
  %23 = arith.truncf %22 : tensor<8x256x1152xf32> to tensor<8x256x1152xbf16>
  return %23 : tensor<8x256x1152xbf16>
}

// Its small form: the row's total is added to another tensor and to the row itself.
// 3 (1024 2048 4) = 25165824 bytes.
// CHECK-LABEL: plan of @sum_of_rows_added: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 25165824 bytes, 0 of them between segments
func.func @sum_of_rows_added(%x: tensor<1024x2048xf32>, %other: tensor<1024x2048xf32>) -> tensor<1024x2048xf32> {
  %0 = fusion.reduce add %x dims = [1] : tensor<1024x2048xf32> -> tensor<1024xf32>
  %1 = fusion.broadcast %0 dims = [0] : tensor<1024xf32> -> tensor<1024x2048xf32>
  %2 = arith.addf %1, %other fastmath<contract> : tensor<1024x2048xf32>
  %3 = arith.addf %2, %x fastmath<contract> : tensor<1024x2048xf32>
  return %3 : tensor<1024x2048xf32>
}

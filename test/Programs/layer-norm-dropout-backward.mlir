// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// nvFuser 1473: a mask of one byte and the scale of a dropout in front, rank 3, sums over
// both outer dimensions. dy and x are read, dx written, 16 512 1600 2 = 26214400 bytes
// each, and a mask of half that: 91750400; vectors and partial sums of 12800 bytes a
// block, written and read, are at most 5 % more.
// CHECK-LABEL: plan of @layer_norm_dropout_backward: {{[12] segments?}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves 9{{([1-6][0-9]{6})}} bytes, 0 of them between segments
func.func @layer_norm_dropout_backward(%dy: tensor<16x512x1600xf16>, %x: tensor<16x512x1600xf16>, %mean: tensor<16x512xf32>, %rstd: tensor<16x512xf32>, %gamma: tensor<1600xf16>, %mask: tensor<16x512x1600xi1>) -> (tensor<16x512x1600xf16>, tensor<1600xf16>, tensor<1600xf16>) {
  %0 = arith.uitofp %mask : tensor<16x512x1600xi1> to tensor<16x512x1600xf32>
  %1 = arith.constant dense<1.111111e+00> : tensor<16x512x1600xf32>
  %2 = arith.extf %dy : tensor<16x512x1600xf16> to tensor<16x512x1600xf32>
  %3 = arith.mulf %2, %0 fastmath<contract> : tensor<16x512x1600xf32>
  %4 = arith.mulf %3, %1 fastmath<contract> : tensor<16x512x1600xf32>
  %5 = arith.extf %x : tensor<16x512x1600xf16> to tensor<16x512x1600xf32>
  %6 = fusion.broadcast %mean dims = [0, 1] : tensor<16x512xf32> -> tensor<16x512x1600xf32>
  %7 = fusion.broadcast %rstd dims = [0, 1] : tensor<16x512xf32> -> tensor<16x512x1600xf32>
  %8 = arith.subf %5, %6 fastmath<contract> : tensor<16x512x1600xf32>
  %9 = arith.mulf %8, %7 fastmath<contract> : tensor<16x512x1600xf32>
  %10 = arith.extf %gamma : tensor<1600xf16> to tensor<1600xf32>
  %11 = fusion.broadcast %10 dims = [2] : tensor<1600xf32> -> tensor<16x512x1600xf32>
  %12 = arith.mulf %4, %11 fastmath<contract> : tensor<16x512x1600xf32>
  %13 = arith.mulf %12, %9 fastmath<contract> : tensor<16x512x1600xf32>
  %14 = fusion.reduce add %13 dims = [2] : tensor<16x512x1600xf32> -> tensor<16x512xf32>
  %15 = arith.constant dense<6.250000000e-04> : tensor<16x512xf32>
  %16 = arith.mulf %14, %15 fastmath<contract> : tensor<16x512xf32>
  %17 = fusion.reduce add %12 dims = [2] : tensor<16x512x1600xf32> -> tensor<16x512xf32>
  %18 = arith.constant dense<6.250000000e-04> : tensor<16x512xf32>
  %19 = arith.mulf %17, %18 fastmath<contract> : tensor<16x512xf32>
  %20 = fusion.broadcast %16 dims = [0, 1] : tensor<16x512xf32> -> tensor<16x512x1600xf32>
  %21 = arith.mulf %9, %20 fastmath<contract> : tensor<16x512x1600xf32>
  %22 = arith.subf %12, %21 fastmath<contract> : tensor<16x512x1600xf32>
  %23 = fusion.broadcast %19 dims = [0, 1] : tensor<16x512xf32> -> tensor<16x512x1600xf32>
  %24 = arith.subf %22, %23 fastmath<contract> : tensor<16x512x1600xf32>
  %25 = arith.mulf %24, %7 fastmath<contract> : tensor<16x512x1600xf32>
  %26 = arith.mulf %4, %9 fastmath<contract> : tensor<16x512x1600xf32>
  %27 = fusion.reduce add %26 dims = [0, 1] : tensor<16x512x1600xf32> -> tensor<1600xf32>
  %28 = fusion.reduce add %4 dims = [0, 1] : tensor<16x512x1600xf32> -> tensor<1600xf32>
  %29 = arith.truncf %25 : tensor<16x512x1600xf32> to tensor<16x512x1600xf16>
  %30 = arith.truncf %27 : tensor<1600xf32> to tensor<1600xf16>
  %31 = arith.truncf %28 : tensor<1600xf32> to tensor<1600xf16>
  return %29, %30, %31 : tensor<16x512x1600xf16>, tensor<1600xf16>, tensor<1600xf16>
}

// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// Backward of a dropout, a residual connection and a layer norm: the gradient of the
// residual is added to dx, which is a result, and goes through the dropout's mask
// (one byte an element) to another one. dy, x and dresidual are read once, two
// gradients are written, all 16384 4096 2, and the mask of 16384 4096:
// 5 134217728 + 67108864 = 738197504 bytes; vectors and partial sums of the columns
// are less than 4 % more.
// CHECK-LABEL: plan of @dropout_residual_layer_norm_backward: {{[12] segments?}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves 7{{((3[89]|4[0-9]|5[0-9]|6[0-7])[0-9]{6})}} bytes, 0 of them between segments
func.func @dropout_residual_layer_norm_backward(%dy: tensor<16384x4096xbf16>, %x: tensor<16384x4096xbf16>, %mean: tensor<16384xf32>, %rstd: tensor<16384xf32>, %gamma: tensor<4096xbf16>, %dresidual: tensor<16384x4096xbf16>, %mask: tensor<16384x4096xi1>) -> (tensor<16384x4096xbf16>, tensor<16384x4096xbf16>, tensor<4096xbf16>, tensor<4096xbf16>) {
  %0 = arith.extf %dy : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %1 = arith.extf %x : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %2 = fusion.broadcast %mean dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %3 = fusion.broadcast %rstd dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %4 = arith.subf %1, %2 fastmath<contract> : tensor<16384x4096xf32>
  %5 = arith.mulf %4, %3 fastmath<contract> : tensor<16384x4096xf32>
  %6 = arith.extf %gamma : tensor<4096xbf16> to tensor<4096xf32>
  %7 = fusion.broadcast %6 dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>
  %8 = arith.mulf %0, %7 fastmath<contract> : tensor<16384x4096xf32>
  %9 = arith.mulf %8, %5 fastmath<contract> : tensor<16384x4096xf32>
  %10 = fusion.reduce add %9 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %11 = arith.constant dense<2.441406250e-04> : tensor<16384xf32>
  %12 = arith.mulf %10, %11 fastmath<contract> : tensor<16384xf32>
  %13 = fusion.reduce add %8 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %14 = arith.constant dense<2.441406250e-04> : tensor<16384xf32>
  %15 = arith.mulf %13, %14 fastmath<contract> : tensor<16384xf32>
  %16 = fusion.broadcast %12 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %17 = arith.mulf %5, %16 fastmath<contract> : tensor<16384x4096xf32>
  %18 = arith.subf %8, %17 fastmath<contract> : tensor<16384x4096xf32>
  %19 = fusion.broadcast %15 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %20 = arith.subf %18, %19 fastmath<contract> : tensor<16384x4096xf32>
  %21 = arith.mulf %20, %3 fastmath<contract> : tensor<16384x4096xf32>
  %22 = arith.mulf %0, %5 fastmath<contract> : tensor<16384x4096xf32>
  %23 = fusion.reduce add %22 dims = [0] : tensor<16384x4096xf32> -> tensor<4096xf32>
  %24 = fusion.reduce add %0 dims = [0] : tensor<16384x4096xf32> -> tensor<4096xf32>
  %25 = arith.extf %dresidual : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %26 = arith.addf %21, %25 fastmath<contract> : tensor<16384x4096xf32>
  %27 = arith.uitofp %mask : tensor<16384x4096xi1> to tensor<16384x4096xf32>
  %28 = arith.constant dense<1.111111e+00> : tensor<16384x4096xf32>
  %29 = arith.mulf %26, %27 fastmath<contract> : tensor<16384x4096xf32>
  %30 = arith.mulf %29, %28 fastmath<contract> : tensor<16384x4096xf32>
  %31 = arith.truncf %26 : tensor<16384x4096xf32> to tensor<16384x4096xbf16>
  %32 = arith.truncf %30 : tensor<16384x4096xf32> to tensor<16384x4096xbf16>
  %33 = arith.truncf %23 : tensor<4096xf32> to tensor<4096xbf16>
  %34 = arith.truncf %24 : tensor<4096xf32> to tensor<4096xbf16>
  return %31, %32, %33, %34 : tensor<16384x4096xbf16>, tensor<16384x4096xbf16>, tensor<4096xbf16>, tensor<4096xbf16>
}

// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// h = x + bias + residual is a result (the next residual) and is normalised: the row
// of h, rounded to bf16, stays on chip. Read: x, residual; written: h, y, all
// 16384 4096 2; bias, gamma and beta 8192 each: 4 134217728 + 24576 = 536895488.
// CHECK-LABEL: plan of @bias_residual_layer_norm: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 536895488 bytes, 0 of them between segments
func.func @bias_residual_layer_norm(%x: tensor<16384x4096xbf16>, %bias: tensor<4096xbf16>, %residual: tensor<16384x4096xbf16>, %gamma: tensor<4096xbf16>, %beta: tensor<4096xbf16>) -> (tensor<16384x4096xbf16>, tensor<16384x4096xbf16>) {
  %0 = arith.extf %x : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %1 = arith.extf %bias : tensor<4096xbf16> to tensor<4096xf32>
  %2 = fusion.broadcast %1 dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>
  %3 = arith.addf %0, %2 fastmath<contract> : tensor<16384x4096xf32>
  %4 = arith.extf %residual : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %5 = arith.addf %3, %4 fastmath<contract> : tensor<16384x4096xf32>
  %6 = arith.truncf %5 : tensor<16384x4096xf32> to tensor<16384x4096xbf16>
  %7 = arith.extf %6 : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %8 = fusion.reduce add %7 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %9 = arith.constant dense<2.441406250e-04> : tensor<16384xf32>
  %10 = arith.mulf %8, %9 fastmath<contract> : tensor<16384xf32>
  %11 = fusion.broadcast %10 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %12 = arith.subf %7, %11 fastmath<contract> : tensor<16384x4096xf32>
  %13 = arith.mulf %12, %12 fastmath<contract> : tensor<16384x4096xf32>
  %14 = fusion.reduce add %13 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %15 = arith.constant dense<2.441406250e-04> : tensor<16384xf32>
  %16 = arith.mulf %14, %15 fastmath<contract> : tensor<16384xf32>
  %17 = arith.constant dense<1.000000000e-05> : tensor<16384xf32>
  %18 = arith.addf %16, %17 fastmath<contract> : tensor<16384xf32>
  %19 = math.rsqrt %18 : tensor<16384xf32>
  %20 = fusion.broadcast %19 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %21 = arith.mulf %12, %20 fastmath<contract> : tensor<16384x4096xf32>
  %22 = arith.extf %gamma : tensor<4096xbf16> to tensor<4096xf32>
  %23 = fusion.broadcast %22 dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>
  %24 = arith.mulf %21, %23 fastmath<contract> : tensor<16384x4096xf32>
  %25 = arith.extf %beta : tensor<4096xbf16> to tensor<4096xf32>
  %26 = fusion.broadcast %25 dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>
  %27 = arith.addf %24, %26 fastmath<contract> : tensor<16384x4096xf32>
  %28 = arith.truncf %27 : tensor<16384x4096xf32> to tensor<16384x4096xbf16>
  return %6, %28 : tensor<16384x4096xbf16>, tensor<16384x4096xbf16>
}

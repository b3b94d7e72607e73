// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// Layer norm that also gives the mean and the reciprocal of the standard deviation.
// The variance is that of the deviations, a second reduction in a chain; the row
// stays on chip. Read: x 16384 4096 2, gamma and beta 4096 2 each; written: y as x,
// two statistics of 16384 4: 268435456 + 16384 + 131072 = 268582912 bytes.
// CHECK-LABEL: plan of @layer_norm_forward: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 268582912 bytes, 0 of them between segments
func.func @layer_norm_forward(%x: tensor<16384x4096xbf16>, %gamma: tensor<4096xbf16>, %beta: tensor<4096xbf16>) -> (tensor<16384x4096xbf16>, tensor<16384xf32>, tensor<16384xf32>) {
  %0 = arith.extf %x : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %1 = fusion.reduce add %0 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %2 = arith.constant dense<2.441406250e-04> : tensor<16384xf32>
  %3 = arith.mulf %1, %2 fastmath<contract> : tensor<16384xf32>
  %4 = fusion.broadcast %3 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %5 = arith.subf %0, %4 fastmath<contract> : tensor<16384x4096xf32>
  %6 = arith.mulf %5, %5 fastmath<contract> : tensor<16384x4096xf32>
  %7 = fusion.reduce add %6 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %8 = arith.constant dense<2.441406250e-04> : tensor<16384xf32>
  %9 = arith.mulf %7, %8 fastmath<contract> : tensor<16384xf32>
  %10 = arith.constant dense<1.000000000e-05> : tensor<16384xf32>
  %11 = arith.addf %9, %10 fastmath<contract> : tensor<16384xf32>
  %12 = math.rsqrt %11 : tensor<16384xf32>
  %13 = fusion.broadcast %12 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %14 = arith.mulf %5, %13 fastmath<contract> : tensor<16384x4096xf32>
  %15 = arith.extf %gamma : tensor<4096xbf16> to tensor<4096xf32>
  %16 = fusion.broadcast %15 dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>
  %17 = arith.mulf %14, %16 fastmath<contract> : tensor<16384x4096xf32>
  %18 = arith.extf %beta : tensor<4096xbf16> to tensor<4096xf32>
  %19 = fusion.broadcast %18 dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>
  %20 = arith.addf %17, %19 fastmath<contract> : tensor<16384x4096xf32>
  %21 = arith.truncf %20 : tensor<16384x4096xf32> to tensor<16384x4096xbf16>
  return %21, %3, %12 : tensor<16384x4096xbf16>, tensor<16384xf32>, tensor<16384xf32>
}

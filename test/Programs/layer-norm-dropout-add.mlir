// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// nvFuser 1607: the cast of x is used twice before a norm, masked and as it is. x
// (134217728 bytes), the mask (67108864) and two vectors of 8192 are read once, y is
// written once: 2 134217728 + 67108864 + 16384 = 335560704 bytes.
// CHECK-LABEL: plan of @layer_norm_dropout_add: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 335560704 bytes, 0 of them between segments
func.func @layer_norm_dropout_add(%x: tensor<16384x4096xbf16>, %mask: tensor<16384x4096xi1>, %gamma: tensor<4096xbf16>, %beta: tensor<4096xbf16>) -> tensor<16384x4096xbf16> {
  %0 = arith.extf %x : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %1 = arith.uitofp %mask : tensor<16384x4096xi1> to tensor<16384x4096xf32>
  %2 = arith.mulf %0, %1 fastmath<contract> : tensor<16384x4096xf32>
  %3 = arith.addf %2, %0 fastmath<contract> : tensor<16384x4096xf32>
  %4 = fusion.reduce add %3 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %5 = arith.constant dense<2.441406250e-04> : tensor<16384xf32>
  %6 = arith.mulf %4, %5 fastmath<contract> : tensor<16384xf32>
  %7 = fusion.broadcast %6 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %8 = arith.subf %3, %7 fastmath<contract> : tensor<16384x4096xf32>
  %9 = arith.mulf %8, %8 fastmath<contract> : tensor<16384x4096xf32>
  %10 = fusion.reduce add %9 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %11 = arith.constant dense<2.441406250e-04> : tensor<16384xf32>
  %12 = arith.mulf %10, %11 fastmath<contract> : tensor<16384xf32>
  %13 = arith.constant dense<1.000000000e-05> : tensor<16384xf32>
  %14 = arith.addf %12, %13 fastmath<contract> : tensor<16384xf32>
  %15 = math.rsqrt %14 : tensor<16384xf32>
  %16 = fusion.broadcast %15 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %17 = arith.mulf %8, %16 fastmath<contract> : tensor<16384x4096xf32>
  %18 = arith.extf %gamma : tensor<4096xbf16> to tensor<4096xf32>
  %19 = fusion.broadcast %18 dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>
  %20 = arith.mulf %17, %19 fastmath<contract> : tensor<16384x4096xf32>
  %21 = arith.extf %beta : tensor<4096xbf16> to tensor<4096xf32>
  %22 = fusion.broadcast %21 dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>
  %23 = arith.addf %20, %22 fastmath<contract> : tensor<16384x4096xf32>
  %24 = arith.truncf %23 : tensor<16384x4096xf32> to tensor<16384x4096xbf16>
  return %24 : tensor<16384x4096xbf16>
}

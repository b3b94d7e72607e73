// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// x is read once, gamma (4096 2) once, y written once:
// 2 (16384 4096 2) + 8192 = 268443648 bytes.
// CHECK-LABEL: plan of @rms_norm_forward: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 268443648 bytes, 0 of them between segments
func.func @rms_norm_forward(%x: tensor<16384x4096xbf16>, %gamma: tensor<4096xbf16>) -> tensor<16384x4096xbf16> {
  %0 = arith.extf %x : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %1 = arith.mulf %0, %0 fastmath<contract> : tensor<16384x4096xf32>
  %2 = fusion.reduce add %1 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %3 = arith.constant dense<2.441406250e-04> : tensor<16384xf32>
  %4 = arith.mulf %2, %3 fastmath<contract> : tensor<16384xf32>
  %5 = arith.constant dense<1.000000000e-06> : tensor<16384xf32>
  %6 = arith.addf %4, %5 fastmath<contract> : tensor<16384xf32>
  %7 = math.rsqrt %6 : tensor<16384xf32>
  %8 = fusion.broadcast %7 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %9 = arith.mulf %0, %8 fastmath<contract> : tensor<16384x4096xf32>
  %10 = arith.extf %gamma : tensor<4096xbf16> to tensor<4096xf32>
  %11 = fusion.broadcast %10 dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>
  %12 = arith.mulf %9, %11 fastmath<contract> : tensor<16384x4096xf32>
  %13 = arith.truncf %12 : tensor<16384x4096xf32> to tensor<16384x4096xbf16>
  return %13 : tensor<16384x4096xbf16>
}

// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// XLA 7432: a gelu and the largest magnitude of its rounded result: x is read once, y
// written once, 2 (8192 4096 2) = 134217728 bytes, and partial maxima.
// CHECK-LABEL: plan of @gelu_amax: {{[12] segments?}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves 134{{([0-9]{6})}} bytes, 0 of them between segments
func.func @gelu_amax(%x: tensor<8192x4096xbf16>) -> (tensor<8192x4096xbf16>, tensor<bf16>) {
  %0 = arith.extf %x : tensor<8192x4096xbf16> to tensor<8192x4096xf32>
  %1 = arith.constant dense<5.000000e-01> : tensor<8192x4096xf32>
  %2 = arith.constant dense<7.071068e-01> : tensor<8192x4096xf32>
  %3 = arith.constant dense<1.000000e+00> : tensor<8192x4096xf32>
  %4 = arith.mulf %0, %1 fastmath<contract> : tensor<8192x4096xf32>
  %5 = arith.mulf %0, %2 fastmath<contract> : tensor<8192x4096xf32>
  %6 = math.erf %5 : tensor<8192x4096xf32>
  %7 = arith.addf %6, %3 fastmath<contract> : tensor<8192x4096xf32>
  %8 = arith.mulf %4, %7 fastmath<contract> : tensor<8192x4096xf32>
  %9 = arith.truncf %8 : tensor<8192x4096xf32> to tensor<8192x4096xbf16>
  %10 = math.absf %9 : tensor<8192x4096xbf16>
  %11 = fusion.reduce maximumf %10 dims = [0, 1] : tensor<8192x4096xbf16> -> tensor<bf16>
  return %9, %11 : tensor<8192x4096xbf16>, tensor<bf16>
}

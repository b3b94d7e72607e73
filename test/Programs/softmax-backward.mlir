// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// dx = y (dy - row sum of dy y). One reduction along the row, whose operands stay on
// chip: dy and y are read once, dx is written once.
// 3 (16384 4096 2) = 402653184 bytes.
// CHECK-LABEL: plan of @softmax_backward: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 402653184 bytes, 0 of them between segments
func.func @softmax_backward(%dy: tensor<16384x4096xbf16>, %y: tensor<16384x4096xbf16>) -> tensor<16384x4096xbf16> {
  %0 = arith.extf %dy : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %1 = arith.extf %y : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %2 = arith.mulf %0, %1 fastmath<contract> : tensor<16384x4096xf32>
  %3 = fusion.reduce add %2 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %4 = fusion.broadcast %3 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %5 = arith.subf %0, %4 fastmath<contract> : tensor<16384x4096xf32>
  %6 = arith.mulf %1, %5 fastmath<contract> : tensor<16384x4096xf32>
  %7 = arith.truncf %6 : tensor<16384x4096xf32> to tensor<16384x4096xbf16>
  return %7 : tensor<16384x4096xbf16>
}

// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// Softmax of rows of 4096. The maximum and the sum are two reductions in a chain;
// a row stays on chip between them, so x is read once and y written once:
// 2 (16384 4096 2) = 268435456 bytes in one launch.
// CHECK-LABEL: plan of @softmax_forward: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 268435456 bytes, 0 of them between segments
func.func @softmax_forward(%x: tensor<16384x4096xbf16>) -> tensor<16384x4096xbf16> {
  %0 = arith.extf %x : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %1 = fusion.reduce maximumf %0 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %2 = fusion.broadcast %1 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %3 = arith.subf %0, %2 : tensor<16384x4096xf32>
  %4 = math.exp %3 : tensor<16384x4096xf32>
  %5 = fusion.reduce add %4 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %6 = fusion.broadcast %5 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %7 = arith.divf %4, %6 : tensor<16384x4096xf32>
  %8 = arith.truncf %7 : tensor<16384x4096xf32> to tensor<16384x4096xbf16>
  return %8 : tensor<16384x4096xbf16>
}

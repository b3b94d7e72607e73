// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s
// RUN: sed -e 's/8192/5/g' %s | fusion-runner - --device=sim --verify

// PyTorch 183542: an RMS norm whose result is scaled by the largest magnitude of each
// block of 32 and rounded. The blocks are parts of the rows that the kernel has on
// chip: x is read and the result written once, 8192 4096 2 = 67108864 bytes each,
// gamma 8192, and scales of 8192 128 4 = 4194304: 138420224.
// CHECK-LABEL: plan of @rms_norm_blocks: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 138420224 bytes, 0 of them between segments
func.func @rms_norm_blocks(%x: tensor<8192x4096xbf16>, %gamma: tensor<4096xbf16>) -> (tensor<8192x128x32xbf16>, tensor<8192x128xf32>) {
  %0 = arith.extf %x : tensor<8192x4096xbf16> to tensor<8192x4096xf32>
  %1 = arith.mulf %0, %0 fastmath<contract> : tensor<8192x4096xf32>
  %2 = fusion.reduce add %1 dims = [1] : tensor<8192x4096xf32> -> tensor<8192xf32>
  %3 = arith.constant dense<2.441406250e-04> : tensor<8192xf32>
  %4 = arith.mulf %2, %3 fastmath<contract> : tensor<8192xf32>
  %5 = arith.constant dense<1.000000000e-06> : tensor<8192xf32>
  %6 = arith.addf %4, %5 fastmath<contract> : tensor<8192xf32>
  %7 = math.rsqrt %6 : tensor<8192xf32>
  %8 = fusion.broadcast %7 dims = [0] : tensor<8192xf32> -> tensor<8192x4096xf32>
  %9 = arith.mulf %0, %8 fastmath<contract> : tensor<8192x4096xf32>
  %10 = arith.extf %gamma : tensor<4096xbf16> to tensor<4096xf32>
  %11 = fusion.broadcast %10 dims = [1] : tensor<4096xf32> -> tensor<8192x4096xf32>
  %12 = arith.mulf %9, %11 fastmath<contract> : tensor<8192x4096xf32>
  %13 = tensor.expand_shape %12 [[0], [1, 2]] output_shape [8192, 128, 32] : tensor<8192x4096xf32> into tensor<8192x128x32xf32>
  %14 = math.absf %13 : tensor<8192x128x32xf32>
  %15 = fusion.reduce maximumf %14 dims = [2] : tensor<8192x128x32xf32> -> tensor<8192x128xf32>
  %16 = fusion.broadcast %15 dims = [0, 1] : tensor<8192x128xf32> -> tensor<8192x128x32xf32>
  %17 = arith.divf %13, %16 fastmath<contract> : tensor<8192x128x32xf32>
  %18 = arith.truncf %17 : tensor<8192x128x32xf32> to tensor<8192x128x32xbf16>
  return %18, %15 : tensor<8192x128x32xbf16>, tensor<8192x128xf32>
}

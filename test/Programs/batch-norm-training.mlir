// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// Statistics of 64 channels over [32, 56, 56], from the sums of x and of its squares,
// and their application. x is 32 64 56 56 2 = 12845056 bytes, 200704 elements of a
// channel: 401408 bytes, more than a block holds and less than a cluster of two. So x is
// read once and y written once, 25690112 bytes, with four vectors of 64 4: 25691136.
// CHECK-LABEL: plan of @batch_norm_training: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 25691136 bytes, 0 of them between segments
func.func @batch_norm_training(%x: tensor<32x64x56x56xbf16>, %gamma: tensor<64xf32>, %beta: tensor<64xf32>) -> (tensor<32x64x56x56xbf16>, tensor<64xf32>, tensor<64xf32>) {
  %0 = arith.extf %x : tensor<32x64x56x56xbf16> to tensor<32x64x56x56xf32>
  %1 = fusion.reduce add %0 dims = [0, 2, 3] : tensor<32x64x56x56xf32> -> tensor<64xf32>
  %2 = arith.constant dense<9.964923469387754e-06> : tensor<64xf32>
  %3 = arith.mulf %1, %2 fastmath<contract> : tensor<64xf32>
  %4 = arith.mulf %0, %0 fastmath<contract> : tensor<32x64x56x56xf32>
  %5 = fusion.reduce add %4 dims = [0, 2, 3] : tensor<32x64x56x56xf32> -> tensor<64xf32>
  %6 = arith.constant dense<9.964923469387754e-06> : tensor<64xf32>
  %7 = arith.mulf %5, %6 fastmath<contract> : tensor<64xf32>
  %8 = arith.mulf %3, %3 fastmath<contract> : tensor<64xf32>
  %9 = arith.subf %7, %8 fastmath<contract> : tensor<64xf32>
  %10 = arith.constant dense<1.000000000e-05> : tensor<64xf32>
  %11 = arith.addf %9, %10 fastmath<contract> : tensor<64xf32>
  %12 = math.rsqrt %11 : tensor<64xf32>
  %13 = fusion.broadcast %3 dims = [1] : tensor<64xf32> -> tensor<32x64x56x56xf32>
  %14 = arith.subf %0, %13 fastmath<contract> : tensor<32x64x56x56xf32>
  %15 = fusion.broadcast %12 dims = [1] : tensor<64xf32> -> tensor<32x64x56x56xf32>
  %16 = arith.mulf %14, %15 fastmath<contract> : tensor<32x64x56x56xf32>
  %17 = fusion.broadcast %gamma dims = [1] : tensor<64xf32> -> tensor<32x64x56x56xf32>
  %18 = arith.mulf %16, %17 fastmath<contract> : tensor<32x64x56x56xf32>
  %19 = fusion.broadcast %beta dims = [1] : tensor<64xf32> -> tensor<32x64x56x56xf32>
  %20 = arith.addf %18, %19 fastmath<contract> : tensor<32x64x56x56xf32>
  %21 = arith.truncf %20 : tensor<32x64x56x56xf32> to tensor<32x64x56x56xbf16>
  return %21, %3, %9 : tensor<32x64x56x56xbf16>, tensor<64xf32>, tensor<64xf32>
}

// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// nvFuser 1646: a layer norm in f16 without its statistics.
// 2 (8192 2048 2) + 2 (2048 2) = 67117056 bytes.
// CHECK-LABEL: plan of @layer_norm_f16: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 67117056 bytes, 0 of them between segments
func.func @layer_norm_f16(%x: tensor<8192x2048xf16>, %gamma: tensor<2048xf16>, %beta: tensor<2048xf16>) -> tensor<8192x2048xf16> {
  %0 = arith.extf %x : tensor<8192x2048xf16> to tensor<8192x2048xf32>
  %1 = fusion.reduce add %0 dims = [1] : tensor<8192x2048xf32> -> tensor<8192xf32>
  %2 = arith.constant dense<4.882812500e-04> : tensor<8192xf32>
  %3 = arith.mulf %1, %2 fastmath<contract> : tensor<8192xf32>
  %4 = fusion.broadcast %3 dims = [0] : tensor<8192xf32> -> tensor<8192x2048xf32>
  %5 = arith.subf %0, %4 fastmath<contract> : tensor<8192x2048xf32>
  %6 = arith.mulf %5, %5 fastmath<contract> : tensor<8192x2048xf32>
  %7 = fusion.reduce add %6 dims = [1] : tensor<8192x2048xf32> -> tensor<8192xf32>
  %8 = arith.constant dense<4.882812500e-04> : tensor<8192xf32>
  %9 = arith.mulf %7, %8 fastmath<contract> : tensor<8192xf32>
  %10 = arith.constant dense<1.000000000e-05> : tensor<8192xf32>
  %11 = arith.addf %9, %10 fastmath<contract> : tensor<8192xf32>
  %12 = math.rsqrt %11 : tensor<8192xf32>
  %13 = fusion.broadcast %12 dims = [0] : tensor<8192xf32> -> tensor<8192x2048xf32>
  %14 = arith.mulf %5, %13 fastmath<contract> : tensor<8192x2048xf32>
  %15 = arith.extf %gamma : tensor<2048xf16> to tensor<2048xf32>
  %16 = fusion.broadcast %15 dims = [1] : tensor<2048xf32> -> tensor<8192x2048xf32>
  %17 = arith.mulf %14, %16 fastmath<contract> : tensor<8192x2048xf32>
  %18 = arith.extf %beta : tensor<2048xf16> to tensor<2048xf32>
  %19 = fusion.broadcast %18 dims = [1] : tensor<2048xf32> -> tensor<8192x2048xf32>
  %20 = arith.addf %17, %19 fastmath<contract> : tensor<8192x2048xf32>
  %21 = arith.truncf %20 : tensor<8192x2048xf32> to tensor<8192x2048xf16>
  return %21 : tensor<8192x2048xf16>
}

// IREE 9139: a softmax of a layer norm: four reductions in a chain, of one row.
// 2 (16384 4096 2) = 268435456 bytes.
// CHECK-LABEL: plan of @layer_norm_softmax: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 268435456 bytes, 0 of them between segments
func.func @layer_norm_softmax(%x: tensor<16384x4096xbf16>) -> tensor<16384x4096xbf16> {
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
  %15 = arith.truncf %14 : tensor<16384x4096xf32> to tensor<16384x4096xbf16>
  %16 = arith.extf %15 : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %17 = fusion.reduce maximumf %16 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %18 = fusion.broadcast %17 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %19 = arith.subf %16, %18 fastmath<contract> : tensor<16384x4096xf32>
  %20 = math.exp %19 : tensor<16384x4096xf32>
  %21 = fusion.reduce add %20 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %22 = fusion.broadcast %21 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %23 = arith.divf %20, %22 fastmath<contract> : tensor<16384x4096xf32>
  %24 = arith.truncf %23 : tensor<16384x4096xf32> to tensor<16384x4096xbf16>
  return %24 : tensor<16384x4096xbf16>
}

// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// Two reductions along the rows and two along the columns of the same data. dy and x
// are read once, dx is written once: 3 (16384 4096 2) = 402653184 bytes. On top come
// the vectors (mean, rstd 65536 each; gamma, dgamma, dbeta 8192 each) and the partial
// sums of the columns: few blocks, 2 4096 4 = 32768 bytes for each, written and read.
// All in all at most 4 % more; a tensor moved a second time would be 33 % more. One
// kernel, and one that finishes, or one that does both.
// CHECK-LABEL: plan of @layer_norm_backward: {{[12] segments?}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves 4{{((0[2-9]|1[0-9])[0-9]{6})}} bytes, 0 of them between segments
func.func @layer_norm_backward(%dy: tensor<16384x4096xbf16>, %x: tensor<16384x4096xbf16>, %mean: tensor<16384xf32>, %rstd: tensor<16384xf32>, %gamma: tensor<4096xbf16>) -> (tensor<16384x4096xbf16>, tensor<4096xbf16>, tensor<4096xbf16>) {
  %0 = arith.extf %dy : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %1 = arith.extf %x : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %2 = fusion.broadcast %mean dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %3 = fusion.broadcast %rstd dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %4 = arith.subf %1, %2 fastmath<contract> : tensor<16384x4096xf32>
  %5 = arith.mulf %4, %3 fastmath<contract> : tensor<16384x4096xf32>
  %6 = arith.extf %gamma : tensor<4096xbf16> to tensor<4096xf32>
  %7 = fusion.broadcast %6 dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>
  %8 = arith.mulf %0, %7 fastmath<contract> : tensor<16384x4096xf32>
  %9 = arith.mulf %8, %5 fastmath<contract> : tensor<16384x4096xf32>
  %10 = fusion.reduce add %9 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %11 = arith.constant dense<2.441406250e-04> : tensor<16384xf32>
  %12 = arith.mulf %10, %11 fastmath<contract> : tensor<16384xf32>
  %13 = fusion.reduce add %8 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %14 = arith.constant dense<2.441406250e-04> : tensor<16384xf32>
  %15 = arith.mulf %13, %14 fastmath<contract> : tensor<16384xf32>
  %16 = fusion.broadcast %12 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %17 = arith.mulf %5, %16 fastmath<contract> : tensor<16384x4096xf32>
  %18 = arith.subf %8, %17 fastmath<contract> : tensor<16384x4096xf32>
  %19 = fusion.broadcast %15 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %20 = arith.subf %18, %19 fastmath<contract> : tensor<16384x4096xf32>
  %21 = arith.mulf %20, %3 fastmath<contract> : tensor<16384x4096xf32>
  %22 = arith.mulf %0, %5 fastmath<contract> : tensor<16384x4096xf32>
  %23 = fusion.reduce add %22 dims = [0] : tensor<16384x4096xf32> -> tensor<4096xf32>
  %24 = fusion.reduce add %0 dims = [0] : tensor<16384x4096xf32> -> tensor<4096xf32>
  %25 = arith.truncf %21 : tensor<16384x4096xf32> to tensor<16384x4096xbf16>
  %26 = arith.truncf %23 : tensor<4096xf32> to tensor<4096xbf16>
  %27 = arith.truncf %24 : tensor<4096xf32> to tensor<4096xbf16>
  return %25, %26, %27 : tensor<16384x4096xbf16>, tensor<4096xbf16>, tensor<4096xbf16>
}

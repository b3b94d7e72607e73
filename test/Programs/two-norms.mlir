// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// A layer norm and an RMS norm of one input share its row: x is read once, both
// results are written once, three vectors of 4096 2 read.
// 3 (16384 4096 2) + 3 8192 = 402677760 bytes.
// CHECK-LABEL: plan of @two_norms: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 402677760 bytes, 0 of them between segments
func.func @two_norms(%x: tensor<16384x4096xbf16>, %gamma: tensor<4096xbf16>, %beta: tensor<4096xbf16>, %weight: tensor<4096xbf16>) -> (tensor<16384x4096xbf16>, tensor<16384x4096xbf16>) {
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
  %22 = arith.mulf %0, %0 fastmath<contract> : tensor<16384x4096xf32>
  %23 = fusion.reduce add %22 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %24 = arith.constant dense<2.441406250e-04> : tensor<16384xf32>
  %25 = arith.mulf %23, %24 fastmath<contract> : tensor<16384xf32>
  %26 = arith.constant dense<1.000000000e-06> : tensor<16384xf32>
  %27 = arith.addf %25, %26 fastmath<contract> : tensor<16384xf32>
  %28 = math.rsqrt %27 : tensor<16384xf32>
  %29 = fusion.broadcast %28 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %30 = arith.mulf %0, %29 fastmath<contract> : tensor<16384x4096xf32>
  %31 = arith.extf %weight : tensor<4096xbf16> to tensor<4096xf32>
  %32 = fusion.broadcast %31 dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>
  %33 = arith.mulf %30, %32 fastmath<contract> : tensor<16384x4096xf32>
  %34 = arith.truncf %33 : tensor<16384x4096xf32> to tensor<16384x4096xbf16>
  return %21, %34 : tensor<16384x4096xbf16>, tensor<16384x4096xbf16>
}

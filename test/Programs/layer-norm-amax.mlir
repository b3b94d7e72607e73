// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// nvFuser 2258: layer norm and the largest magnitude of all that it gives. The maximum
// over everything becomes one of each row, which the kernel of the norm has on chip,
// and one over the rows in the finish. x and residual are read, y is written:
// 3 (16384 4096 2) = 402653184 bytes; three vectors of 8192 and partial maxima, at most
// 16384 2, written and read, are less than 0.03 % more.
// CHECK-LABEL: plan of @layer_norm_amax: {{[12] segments?}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves 402{{([0-9]{6})}} bytes, {{([0-9]{1,5})}} of them between segments
func.func @layer_norm_amax(%x: tensor<16384x4096xbf16>, %bias: tensor<4096xbf16>, %residual: tensor<16384x4096xbf16>, %gamma: tensor<4096xbf16>, %beta: tensor<4096xbf16>) -> (tensor<16384x4096xbf16>, tensor<bf16>) {
  %0 = arith.extf %x : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %1 = arith.extf %bias : tensor<4096xbf16> to tensor<4096xf32>
  %2 = fusion.broadcast %1 dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>
  %3 = arith.addf %0, %2 fastmath<contract> : tensor<16384x4096xf32>
  %4 = arith.extf %residual : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %5 = arith.addf %3, %4 fastmath<contract> : tensor<16384x4096xf32>
  %6 = fusion.reduce add %5 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %7 = arith.constant dense<2.441406250e-04> : tensor<16384xf32>
  %8 = arith.mulf %6, %7 fastmath<contract> : tensor<16384xf32>
  %9 = fusion.broadcast %8 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %10 = arith.subf %5, %9 fastmath<contract> : tensor<16384x4096xf32>
  %11 = arith.mulf %10, %10 fastmath<contract> : tensor<16384x4096xf32>
  %12 = fusion.reduce add %11 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %13 = arith.constant dense<2.441406250e-04> : tensor<16384xf32>
  %14 = arith.mulf %12, %13 fastmath<contract> : tensor<16384xf32>
  %15 = arith.constant dense<1.000000000e-05> : tensor<16384xf32>
  %16 = arith.addf %14, %15 fastmath<contract> : tensor<16384xf32>
  %17 = math.rsqrt %16 : tensor<16384xf32>
  %18 = fusion.broadcast %17 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %19 = arith.mulf %10, %18 fastmath<contract> : tensor<16384x4096xf32>
  %20 = arith.extf %gamma : tensor<4096xbf16> to tensor<4096xf32>
  %21 = fusion.broadcast %20 dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>
  %22 = arith.mulf %19, %21 fastmath<contract> : tensor<16384x4096xf32>
  %23 = arith.extf %beta : tensor<4096xbf16> to tensor<4096xf32>
  %24 = fusion.broadcast %23 dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>
  %25 = arith.addf %22, %24 fastmath<contract> : tensor<16384x4096xf32>
  %26 = arith.truncf %25 : tensor<16384x4096xf32> to tensor<16384x4096xbf16>
  %27 = math.absf %26 : tensor<16384x4096xbf16>
  %28 = fusion.reduce maximumf %27 dims = [0, 1] : tensor<16384x4096xbf16> -> tensor<bf16>
  return %26, %28 : tensor<16384x4096xbf16>, tensor<bf16>
}

// Its variant: the maximum over all i, j of a[i] + b[j], where a are the sums of the
// rows and b of the columns, so that no split fits both. Nothing of x's size need be
// written: one kernel reads x, 2048 2048 4 = 16777216 bytes, for both sums, another
// the two vectors of 2048 4 = 8192 bytes, written and read: 32768 between kernels.
// Partial sums of the columns, 8192 bytes for each of at most 132 blocks, written and
// read, are less than 13 %.
// CHECK-LABEL: plan of @inner_and_outer_sums_amax: {{[12] segments?}}, {{1 launch|[234] launches}}, 0 operations outside segments
// CHECK: moves {{(1[6-9][0-9]{6})}} bytes, {{([0-9]{1,5})}} of them between segments
func.func @inner_and_outer_sums_amax(%x: tensor<2048x2048xf32>) -> tensor<f32> {
  %0 = fusion.reduce add %x dims = [1] : tensor<2048x2048xf32> -> tensor<2048xf32>
  %1 = fusion.reduce add %x dims = [0] : tensor<2048x2048xf32> -> tensor<2048xf32>
  %2 = fusion.broadcast %0 dims = [0] : tensor<2048xf32> -> tensor<2048x2048xf32>
  %3 = fusion.broadcast %1 dims = [1] : tensor<2048xf32> -> tensor<2048x2048xf32>
  %4 = arith.addf %2, %3 fastmath<contract> : tensor<2048x2048xf32>
  %5 = fusion.reduce maximumf %4 dims = [0, 1] : tensor<2048x2048xf32> -> tensor<f32>
  return %5 : tensor<f32>
}

// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// nvFuser 2046: layer-norm backward with chains of squeezes and broadcasts through unit
// dimensions. dy and x are read once, dx is written once: 3 (2048 8192 4) = 201326592
// bytes; vectors of 8192 4 and partial sums of two columns, 65536 bytes for each of at
// most 132 blocks, written and read, are less than 9 %.
// CHECK-LABEL: plan of @layer_norm_backward_f32: {{[12] segments?}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves {{(2(0[1-9]|1[0-9])[0-9]{6})}} bytes, 0 of them between segments
func.func @layer_norm_backward_f32(%dy: tensor<2048x8192xf32>, %x: tensor<2048x8192xf32>, %mean: tensor<2048x1xf32>, %rstd: tensor<2048x1xf32>, %gamma: tensor<8192xf32>) -> (tensor<2048x8192xf32>, tensor<8192xf32>, tensor<8192xf32>) {
  %0 = fusion.squeeze %mean dims = [1] : tensor<2048x1xf32> -> tensor<2048xf32>
  %1 = fusion.broadcast %0 dims = [0] : tensor<2048xf32> -> tensor<2048x1xf32>
  %2 = fusion.broadcast %1 dims = [0, 1] : tensor<2048x1xf32> -> tensor<2048x8192xf32>
  %3 = arith.subf %x, %2 fastmath<contract> : tensor<2048x8192xf32>
  %4 = fusion.squeeze %rstd dims = [1] : tensor<2048x1xf32> -> tensor<2048xf32>
  %5 = fusion.broadcast %4 dims = [0] : tensor<2048xf32> -> tensor<2048x1xf32>
  %6 = fusion.broadcast %5 dims = [0, 1] : tensor<2048x1xf32> -> tensor<2048x8192xf32>
  %7 = arith.mulf %3, %6 fastmath<contract> : tensor<2048x8192xf32>
  %8 = fusion.broadcast %gamma dims = [1] : tensor<8192xf32> -> tensor<1x8192xf32>
  %9 = fusion.broadcast %8 dims = [0, 1] : tensor<1x8192xf32> -> tensor<2048x8192xf32>
  %10 = arith.mulf %dy, %9 fastmath<contract> : tensor<2048x8192xf32>
  %11 = arith.mulf %10, %7 fastmath<contract> : tensor<2048x8192xf32>
  %12 = fusion.reduce add %11 dims = [1] : tensor<2048x8192xf32> -> tensor<2048xf32>
  %13 = arith.constant dense<1.220703125e-04> : tensor<2048xf32>
  %14 = arith.mulf %12, %13 fastmath<contract> : tensor<2048xf32>
  %15 = fusion.reduce add %10 dims = [1] : tensor<2048x8192xf32> -> tensor<2048xf32>
  %16 = arith.constant dense<1.220703125e-04> : tensor<2048xf32>
  %17 = arith.mulf %15, %16 fastmath<contract> : tensor<2048xf32>
  %18 = fusion.broadcast %14 dims = [0] : tensor<2048xf32> -> tensor<2048x1xf32>
  %19 = fusion.broadcast %18 dims = [0, 1] : tensor<2048x1xf32> -> tensor<2048x8192xf32>
  %20 = arith.mulf %7, %19 fastmath<contract> : tensor<2048x8192xf32>
  %21 = arith.subf %10, %20 fastmath<contract> : tensor<2048x8192xf32>
  %22 = fusion.broadcast %17 dims = [0] : tensor<2048xf32> -> tensor<2048x8192xf32>
  %23 = arith.subf %21, %22 fastmath<contract> : tensor<2048x8192xf32>
  %24 = fusion.squeeze %rstd dims = [1] : tensor<2048x1xf32> -> tensor<2048xf32>
  %25 = fusion.broadcast %24 dims = [0] : tensor<2048xf32> -> tensor<2048x1xf32>
  %26 = fusion.broadcast %25 dims = [0, 1] : tensor<2048x1xf32> -> tensor<2048x8192xf32>
  %27 = arith.mulf %23, %26 fastmath<contract> : tensor<2048x8192xf32>
  %28 = arith.mulf %dy, %7 fastmath<contract> : tensor<2048x8192xf32>
  %29 = fusion.reduce add %28 dims = [0] : tensor<2048x8192xf32> -> tensor<8192xf32>
  %30 = fusion.reduce add %dy dims = [0] : tensor<2048x8192xf32> -> tensor<8192xf32>
  return %27, %29, %30 : tensor<2048x8192xf32>, tensor<8192xf32>, tensor<8192xf32>
}

// PyTorch 165370: RMS-norm backward, one reduction of the rows and one of the columns.
// 3 (16384 4096 2) = 402653184 bytes and less than 4 % of partial sums.
// CHECK-LABEL: plan of @rms_norm_backward: {{[12] segments?}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves 4{{((0[2-9]|1[0-9])[0-9]{6})}} bytes, 0 of them between segments
func.func @rms_norm_backward(%dy: tensor<16384x4096xbf16>, %x: tensor<16384x4096xbf16>, %rstd: tensor<16384xf32>, %gamma: tensor<4096xbf16>) -> (tensor<16384x4096xbf16>, tensor<4096xbf16>) {
  %0 = arith.extf %dy : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %1 = arith.extf %x : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %2 = fusion.broadcast %rstd dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %3 = arith.mulf %1, %2 fastmath<contract> : tensor<16384x4096xf32>
  %4 = arith.extf %gamma : tensor<4096xbf16> to tensor<4096xf32>
  %5 = fusion.broadcast %4 dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>
  %6 = arith.mulf %0, %5 fastmath<contract> : tensor<16384x4096xf32>
  %7 = arith.mulf %6, %3 fastmath<contract> : tensor<16384x4096xf32>
  %8 = fusion.reduce add %7 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %9 = arith.constant dense<2.441406250e-04> : tensor<16384xf32>
  %10 = arith.mulf %8, %9 fastmath<contract> : tensor<16384xf32>
  %11 = fusion.broadcast %10 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %12 = arith.mulf %3, %11 fastmath<contract> : tensor<16384x4096xf32>
  %13 = arith.subf %6, %12 fastmath<contract> : tensor<16384x4096xf32>
  %14 = fusion.broadcast %rstd dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %15 = arith.mulf %13, %14 fastmath<contract> : tensor<16384x4096xf32>
  %16 = arith.truncf %15 : tensor<16384x4096xf32> to tensor<16384x4096xbf16>
  %17 = arith.mulf %0, %3 fastmath<contract> : tensor<16384x4096xf32>
  %18 = fusion.reduce add %17 dims = [0] : tensor<16384x4096xf32> -> tensor<4096xf32>
  %19 = arith.truncf %18 : tensor<4096xf32> to tensor<4096xbf16>
  return %16, %19 : tensor<16384x4096xbf16>, tensor<4096xbf16>
}

// PyTorch 168209: two such norms with one gamma, whose gradients are added. They share
// nothing but gamma, which must not make a kernel of parts of both that reads some tensor
// again: a kernel and its finish for each, or for both, and what adds the vectors is in the
// last. 6 (16384 4096 2) = 805306368 bytes, two vectors of 16384 4 and few of 4096, and
// less than 4 % of partial sums; between kernels at most the gradient of one, 4096 4,
// written and read.
// CHECK-LABEL: plan of @two_norms_of_one_gamma: {{1 segment|2 segments}}, {{1 launch|[2-4] launches}}, 0 operations outside segments
// CHECK: moves 8{{((0[5-9]|[12][0-9]|3[0-7])[0-9]{6})}} bytes, {{(0|16384|32768)}} of them between segments
func.func @two_norms_of_one_gamma(%dy: tensor<16384x4096xbf16>, %x: tensor<16384x4096xbf16>, %rstd: tensor<16384xf32>, %dz: tensor<16384x4096xbf16>, %z: tensor<16384x4096xbf16>, %rstd_z: tensor<16384xf32>, %gamma: tensor<4096xbf16>) -> (tensor<16384x4096xbf16>, tensor<16384x4096xbf16>, tensor<4096xbf16>) {
  %a0 = arith.extf %dy : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %a1 = arith.extf %x : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %a2 = fusion.broadcast %rstd dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %a3 = arith.mulf %a1, %a2 fastmath<contract> : tensor<16384x4096xf32>
  %a4 = arith.extf %gamma : tensor<4096xbf16> to tensor<4096xf32>
  %a5 = fusion.broadcast %a4 dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>
  %a6 = arith.mulf %a0, %a5 fastmath<contract> : tensor<16384x4096xf32>
  %a7 = arith.mulf %a6, %a3 fastmath<contract> : tensor<16384x4096xf32>
  %a8 = fusion.reduce add %a7 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %a9 = arith.constant dense<2.441406250e-04> : tensor<16384xf32>
  %a10 = arith.mulf %a8, %a9 fastmath<contract> : tensor<16384xf32>
  %a11 = fusion.broadcast %a10 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %a12 = arith.mulf %a3, %a11 fastmath<contract> : tensor<16384x4096xf32>
  %a13 = arith.subf %a6, %a12 fastmath<contract> : tensor<16384x4096xf32>
  %a14 = fusion.broadcast %rstd dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %a15 = arith.mulf %a13, %a14 fastmath<contract> : tensor<16384x4096xf32>
  %a16 = arith.truncf %a15 : tensor<16384x4096xf32> to tensor<16384x4096xbf16>
  %a17 = arith.mulf %a0, %a3 fastmath<contract> : tensor<16384x4096xf32>
  %a18 = fusion.reduce add %a17 dims = [0] : tensor<16384x4096xf32> -> tensor<4096xf32>
  %b0 = arith.extf %dz : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %b1 = arith.extf %z : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %b2 = fusion.broadcast %rstd_z dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %b3 = arith.mulf %b1, %b2 fastmath<contract> : tensor<16384x4096xf32>
  %b4 = arith.extf %gamma : tensor<4096xbf16> to tensor<4096xf32>
  %b5 = fusion.broadcast %b4 dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>
  %b6 = arith.mulf %b0, %b5 fastmath<contract> : tensor<16384x4096xf32>
  %b7 = arith.mulf %b6, %b3 fastmath<contract> : tensor<16384x4096xf32>
  %b8 = fusion.reduce add %b7 dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %b9 = arith.constant dense<2.441406250e-04> : tensor<16384xf32>
  %b10 = arith.mulf %b8, %b9 fastmath<contract> : tensor<16384xf32>
  %b11 = fusion.broadcast %b10 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %b12 = arith.mulf %b3, %b11 fastmath<contract> : tensor<16384x4096xf32>
  %b13 = arith.subf %b6, %b12 fastmath<contract> : tensor<16384x4096xf32>
  %b14 = fusion.broadcast %rstd_z dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %b15 = arith.mulf %b13, %b14 fastmath<contract> : tensor<16384x4096xf32>
  %b16 = arith.truncf %b15 : tensor<16384x4096xf32> to tensor<16384x4096xbf16>
  %b17 = arith.mulf %b0, %b3 fastmath<contract> : tensor<16384x4096xf32>
  %b18 = fusion.reduce add %b17 dims = [0] : tensor<16384x4096xf32> -> tensor<4096xf32>
  %sum = arith.addf %a18, %b18 : tensor<4096xf32>
  %dgamma = arith.truncf %sum : tensor<4096xf32> to tensor<4096xbf16>
  return %a16, %b16, %dgamma : tensor<16384x4096xbf16>, tensor<16384x4096xbf16>, tensor<4096xbf16>
}

// nvFuser 1954: the same in f16 with rows of 18432 columns, which a block does not hold
// with what it adds up: 3 (8192 18432 2) = 905969664 bytes, vectors of 18432 4 and
// 8192 4, and partial sums of two columns, 147456 bytes for each of at most 132 blocks,
// written and read: at most 5 % more. No M x N tensor lies between kernels.
// CHECK-LABEL: plan of @layer_norm_backward_wide: {{[12] segments?}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves 9{{((0[6-9]|[1-4][0-9])[0-9]{6})}} bytes, 0 of them between segments
func.func @layer_norm_backward_wide(%dy16: tensor<8192x18432xf16>, %x16: tensor<8192x18432xf16>, %mean: tensor<8192x1xf32>, %rstd: tensor<8192x1xf32>, %gamma: tensor<18432xf32>) -> (tensor<8192x18432xf16>, tensor<18432xf32>, tensor<18432xf32>) {
  %dy = arith.extf %dy16 : tensor<8192x18432xf16> to tensor<8192x18432xf32>
  %x = arith.extf %x16 : tensor<8192x18432xf16> to tensor<8192x18432xf32>
  %0 = fusion.squeeze %mean dims = [1] : tensor<8192x1xf32> -> tensor<8192xf32>
  %1 = fusion.broadcast %0 dims = [0] : tensor<8192xf32> -> tensor<8192x1xf32>
  %2 = fusion.broadcast %1 dims = [0, 1] : tensor<8192x1xf32> -> tensor<8192x18432xf32>
  %3 = arith.subf %x, %2 fastmath<contract> : tensor<8192x18432xf32>
  %4 = fusion.squeeze %rstd dims = [1] : tensor<8192x1xf32> -> tensor<8192xf32>
  %5 = fusion.broadcast %4 dims = [0] : tensor<8192xf32> -> tensor<8192x1xf32>
  %6 = fusion.broadcast %5 dims = [0, 1] : tensor<8192x1xf32> -> tensor<8192x18432xf32>
  %7 = arith.mulf %3, %6 fastmath<contract> : tensor<8192x18432xf32>
  %8 = fusion.broadcast %gamma dims = [1] : tensor<18432xf32> -> tensor<1x18432xf32>
  %9 = fusion.broadcast %8 dims = [0, 1] : tensor<1x18432xf32> -> tensor<8192x18432xf32>
  %10 = arith.mulf %dy, %9 fastmath<contract> : tensor<8192x18432xf32>
  %11 = arith.mulf %10, %7 fastmath<contract> : tensor<8192x18432xf32>
  %12 = fusion.reduce add %11 dims = [1] : tensor<8192x18432xf32> -> tensor<8192xf32>
  %13 = arith.constant dense<5.4253472e-05> : tensor<8192xf32>
  %14 = arith.mulf %12, %13 fastmath<contract> : tensor<8192xf32>
  %15 = fusion.reduce add %10 dims = [1] : tensor<8192x18432xf32> -> tensor<8192xf32>
  %16 = arith.constant dense<5.4253472e-05> : tensor<8192xf32>
  %17 = arith.mulf %15, %16 fastmath<contract> : tensor<8192xf32>
  %18 = fusion.broadcast %14 dims = [0] : tensor<8192xf32> -> tensor<8192x1xf32>
  %19 = fusion.broadcast %18 dims = [0, 1] : tensor<8192x1xf32> -> tensor<8192x18432xf32>
  %20 = arith.mulf %7, %19 fastmath<contract> : tensor<8192x18432xf32>
  %21 = arith.subf %10, %20 fastmath<contract> : tensor<8192x18432xf32>
  %22 = fusion.broadcast %17 dims = [0] : tensor<8192xf32> -> tensor<8192x18432xf32>
  %23 = arith.subf %21, %22 fastmath<contract> : tensor<8192x18432xf32>
  %24 = fusion.squeeze %rstd dims = [1] : tensor<8192x1xf32> -> tensor<8192xf32>
  %25 = fusion.broadcast %24 dims = [0] : tensor<8192xf32> -> tensor<8192x1xf32>
  %26 = fusion.broadcast %25 dims = [0, 1] : tensor<8192x1xf32> -> tensor<8192x18432xf32>
  %27 = arith.mulf %23, %26 fastmath<contract> : tensor<8192x18432xf32>
  %28 = arith.mulf %dy, %7 fastmath<contract> : tensor<8192x18432xf32>
  %29 = fusion.reduce add %28 dims = [0] : tensor<8192x18432xf32> -> tensor<18432xf32>
  %30 = fusion.reduce add %dy dims = [0] : tensor<8192x18432xf32> -> tensor<18432xf32>
  %dx = arith.truncf %27 : tensor<8192x18432xf32> to tensor<8192x18432xf16>
  return %dx, %29, %30 : tensor<8192x18432xf16>, tensor<18432xf32>, tensor<18432xf32>
}

// nvFuser 2146, the gradient: of layer norm with a scale and a shift for each sample.
// The column sums are of the rows of one sample, 8 sets of them, where a kernel of rows and
// columns keeps one set for all the rows that it goes over: a row kernel and a column
// kernel, with nothing between them but inputs. Both read dy and x, the first writes dx:
// 5 (8 256 1152 2) = 23592960 bytes; mean and rstd are read by both, 4 (8 256 4) = 32768;
// the scale once, 8 1152 2 = 18432; the two gradients are written, 2 (8 1152 4) = 73728:
// 23717888 in all, and no M x N tensor that is not a result.
// CHECK-LABEL: plan of @adaptive_layer_norm_backward: 2 segments, 2 launches, 0 operations outside segments
// CHECK: moves 23717888 bytes, 0 of them between segments
func.func @adaptive_layer_norm_backward(%a0: tensor<8x256x1152xbf16>, %a1: tensor<8x256x1152xbf16>, %a2: tensor<8x256xf32>, %a3: tensor<8x256xf32>, %a4: tensor<8x1152xbf16>) -> (tensor<8x256x1152xbf16>, tensor<8x1152xf32>, tensor<8x1152xf32>) {
  %v1 = arith.extf %a0 : tensor<8x256x1152xbf16> to tensor<8x256x1152xf32>
  %v2 = arith.extf %a1 : tensor<8x256x1152xbf16> to tensor<8x256x1152xf32>
  %v3 = arith.extf %a4 : tensor<8x1152xbf16> to tensor<8x1152xf32>
  %v4 = fusion.broadcast %a2 dims = [0, 1] : tensor<8x256xf32> -> tensor<8x256x1152xf32>
  %v5 = arith.subf %v2, %v4 fastmath<contract> : tensor<8x256x1152xf32>
  %v6 = fusion.broadcast %a3 dims = [0, 1] : tensor<8x256xf32> -> tensor<8x256x1152xf32>
  %v7 = arith.mulf %v5, %v6 fastmath<contract> : tensor<8x256x1152xf32>
  %v8 = arith.constant dense<1.0> : tensor<8x1152xf32>
  %v9 = arith.addf %v3, %v8 fastmath<contract> : tensor<8x1152xf32>
  %v10 = fusion.broadcast %v9 dims = [0, 2] : tensor<8x1152xf32> -> tensor<8x256x1152xf32>
  %v11 = arith.mulf %v1, %v10 fastmath<contract> : tensor<8x256x1152xf32>
  %v12 = arith.mulf %v11, %v7 fastmath<contract> : tensor<8x256x1152xf32>
  %v13 = fusion.reduce add %v12 dims = [2] : tensor<8x256x1152xf32> -> tensor<8x256xf32>
  %v14 = arith.constant dense<0.0008680555555555555> : tensor<8x256xf32>
  %v15 = arith.mulf %v13, %v14 fastmath<contract> : tensor<8x256xf32>
  %v16 = fusion.reduce add %v11 dims = [2] : tensor<8x256x1152xf32> -> tensor<8x256xf32>
  %v17 = arith.constant dense<0.0008680555555555555> : tensor<8x256xf32>
  %v18 = arith.mulf %v16, %v17 fastmath<contract> : tensor<8x256xf32>
  %v19 = fusion.broadcast %v15 dims = [0, 1] : tensor<8x256xf32> -> tensor<8x256x1152xf32>
  %v20 = arith.mulf %v7, %v19 fastmath<contract> : tensor<8x256x1152xf32>
  %v21 = arith.subf %v11, %v20 fastmath<contract> : tensor<8x256x1152xf32>
  %v22 = fusion.broadcast %v18 dims = [0, 1] : tensor<8x256xf32> -> tensor<8x256x1152xf32>
  %v23 = arith.subf %v21, %v22 fastmath<contract> : tensor<8x256x1152xf32>
  %v24 = fusion.broadcast %a3 dims = [0, 1] : tensor<8x256xf32> -> tensor<8x256x1152xf32>
  %v25 = arith.mulf %v23, %v24 fastmath<contract> : tensor<8x256x1152xf32>
  %v26 = arith.truncf %v25 : tensor<8x256x1152xf32> to tensor<8x256x1152xbf16>
  %v27 = arith.mulf %v1, %v7 fastmath<contract> : tensor<8x256x1152xf32>
  %v28 = fusion.reduce add %v27 dims = [1] : tensor<8x256x1152xf32> -> tensor<8x1152xf32>
  %v29 = fusion.reduce add %v1 dims = [1] : tensor<8x256x1152xf32> -> tensor<8x1152xf32>
  return %v26, %v28, %v29 : tensor<8x256x1152xbf16>, tensor<8x1152xf32>, tensor<8x1152xf32>
}

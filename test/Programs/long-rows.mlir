// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// nvFuser 744: rows of 524288 columns, 2 MB of dy and of x each, that no block nor
// cluster holds. A kernel for the rows reads dy and x and writes two totals of a row;
// another reads dy and x again, writes dx and sums the columns. Between them go
// totals, 256 4 bytes each, written and read: 2 2 1024 = 4096 bytes, and no tensor of
// 256 524288. In all 5 (256 524288 4) = 2684354560 bytes, the vectors gamma, dgamma
// and dbeta of 2097152 (gamma twice), and partial sums: at most 2 % more.
// CHECK-LABEL: plan of @layer_norm_backward_of_long_rows: 2 segments, {{[234]}} launches, 0 operations outside segments
// CHECK: moves 2{{(6[89][0-9]|7[0-4][0-9])[0-9][0-9][0-9][0-9][0-9][0-9]}} bytes, 4096 of them between segments
func.func @layer_norm_backward_of_long_rows(%dy: tensor<256x524288xf32>, %x: tensor<256x524288xf32>, %mean: tensor<256xf32>, %rstd: tensor<256xf32>, %gamma: tensor<524288xf32>) -> (tensor<256x524288xf32>, tensor<524288xf32>, tensor<524288xf32>) {
  %0 = fusion.broadcast %mean dims = [0] : tensor<256xf32> -> tensor<256x524288xf32>
  %1 = fusion.broadcast %rstd dims = [0] : tensor<256xf32> -> tensor<256x524288xf32>
  %2 = arith.subf %x, %0 fastmath<contract> : tensor<256x524288xf32>
  %3 = arith.mulf %2, %1 fastmath<contract> : tensor<256x524288xf32>
  %4 = fusion.broadcast %gamma dims = [1] : tensor<524288xf32> -> tensor<256x524288xf32>
  %5 = arith.mulf %dy, %4 fastmath<contract> : tensor<256x524288xf32>
  %6 = arith.mulf %5, %3 fastmath<contract> : tensor<256x524288xf32>
  %7 = fusion.reduce add %6 dims = [1] : tensor<256x524288xf32> -> tensor<256xf32>
  %8 = arith.constant dense<1.9073486328125e-06> : tensor<256xf32>
  %9 = arith.mulf %7, %8 fastmath<contract> : tensor<256xf32>
  %10 = fusion.reduce add %5 dims = [1] : tensor<256x524288xf32> -> tensor<256xf32>
  %11 = arith.constant dense<1.9073486328125e-06> : tensor<256xf32>
  %12 = arith.mulf %10, %11 fastmath<contract> : tensor<256xf32>
  %13 = fusion.broadcast %9 dims = [0] : tensor<256xf32> -> tensor<256x524288xf32>
  %14 = arith.mulf %3, %13 fastmath<contract> : tensor<256x524288xf32>
  %15 = arith.subf %5, %14 fastmath<contract> : tensor<256x524288xf32>
  %16 = fusion.broadcast %12 dims = [0] : tensor<256xf32> -> tensor<256x524288xf32>
  %17 = arith.subf %15, %16 fastmath<contract> : tensor<256x524288xf32>
  %18 = arith.mulf %17, %1 fastmath<contract> : tensor<256x524288xf32>
  %19 = arith.mulf %dy, %3 fastmath<contract> : tensor<256x524288xf32>
  %20 = fusion.reduce add %19 dims = [0] : tensor<256x524288xf32> -> tensor<524288xf32>
  %21 = fusion.reduce add %dy dims = [0] : tensor<256x524288xf32> -> tensor<524288xf32>
  return %18, %20, %21 : tensor<256x524288xf32>, tensor<524288xf32>, tensor<524288xf32>
}

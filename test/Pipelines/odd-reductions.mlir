// Programs whose reductions are rewritten, from the program to its results: narrow
// types, integers, values that are used again, selections, views, two stages.
// RUN: split-file %s %t
// RUN: fusion-random-test --jobs=2 %t/static-*.mlir | FileCheck %s
// RUN: fusion-runner %t/rows.mlir --device=sim --verify --shape=0=0x64
// RUN: fusion-runner %t/rows.mlir --device=sim --verify --shape=0=1x64
// RUN: fusion-runner %t/rows.mlir --device=sim --verify --shape=0=5x64
// RUN: fusion-runner %t/many-columns.mlir --device=sim --verify
// RUN: fusion-runner %t/calls.mlir --function=f --device=sim --verify

// CHECK: programs: 28, passed 28

//--- static-bf16-outer.mlir
func.func @f(%x: tensor<16x32x1xbf16>, %b: tensor<16x1x64xbf16>) -> tensor<16x64xbf16> {
  %0 = fusion.broadcast %x dims = [0,1,2] : tensor<16x32x1xbf16> -> tensor<16x32x64xbf16>
  %1 = fusion.broadcast %b dims = [0,1,2] : tensor<16x1x64xbf16> -> tensor<16x32x64xbf16>
  %2 = arith.mulf %0, %1 fastmath<reassoc> : tensor<16x32x64xbf16>
  %3 = fusion.reduce add %2 dims = [1] fastmath<reassoc> : tensor<16x32x64xbf16> -> tensor<16x64xbf16>
  return %3 : tensor<16x64xbf16>
}

//--- static-int-dequant.mlir
func.func @f(%q: tensor<32x64xi8>, %s: tensor<32xf32>, %z: tensor<32xf32>) -> tensor<32xf32> {
  %0 = arith.sitofp %q : tensor<32x64xi8> to tensor<32x64xf32>
  %1 = fusion.broadcast %s dims = [0] : tensor<32xf32> -> tensor<32x64xf32>
  %2 = fusion.broadcast %z dims = [0] : tensor<32xf32> -> tensor<32x64xf32>
  %3 = arith.subf %0, %2 fastmath<reassoc> : tensor<32x64xf32>
  %4 = arith.mulf %3, %1 fastmath<reassoc> : tensor<32x64xf32>
  %5 = fusion.reduce add %4 dims = [1] fastmath<reassoc> : tensor<32x64xf32> -> tensor<32xf32>
  return %5 : tensor<32xf32>
}

//--- static-empty-static.mlir
func.func @f(%x: tensor<8x0xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = fusion.broadcast %b dims = [0] : tensor<8xf32> -> tensor<8x0xf32>
  %1 = arith.mulf %x, %0 fastmath<reassoc,nnan> : tensor<8x0xf32>
  %2 = fusion.reduce add %1 dims = [1] fastmath<reassoc> : tensor<8x0xf32> -> tensor<8xf32>
  %3 = fusion.reduce maximumf %1 dims = [1] fastmath<reassoc> : tensor<8x0xf32> -> tensor<8xf32>
  return %2, %3 : tensor<8xf32>, tensor<8xf32>
}

//--- static-reused.mlir
func.func @f(%x: tensor<32x64xf32>, %b: tensor<32xf32>) -> (tensor<32x64xf32>, tensor<32xf32>, tensor<64xf32>) {
  %0 = fusion.broadcast %b dims = [0] : tensor<32xf32> -> tensor<32x64xf32>
  %1 = arith.mulf %x, %0 fastmath<reassoc> : tensor<32x64xf32>
  %2 = fusion.reduce add %1 dims = [1] fastmath<reassoc> : tensor<32x64xf32> -> tensor<32xf32>
  %3 = fusion.reduce add %1 dims = [0] fastmath<reassoc> : tensor<32x64xf32> -> tensor<64xf32>
  return %1, %2, %3 : tensor<32x64xf32>, tensor<32xf32>, tensor<64xf32>
}

//--- static-select.mlir
func.func @f(%c: tensor<32xi1>, %x: tensor<32x64xf32>, %y: tensor<32x64xf32>) -> (tensor<32xf32>, tensor<32xf32>) {
  %0 = fusion.broadcast %c dims = [0] : tensor<32xi1> -> tensor<32x64xi1>
  %1 = arith.select %0, %x, %y : tensor<32x64xi1>, tensor<32x64xf32>
  %2 = fusion.reduce add %1 dims = [1] : tensor<32x64xf32> -> tensor<32xf32>
  %3 = fusion.reduce minimumf %1 dims = [1] : tensor<32x64xf32> -> tensor<32xf32>
  return %2, %3 : tensor<32xf32>, tensor<32xf32>
}

//--- static-nested-broadcast.mlir
func.func @f(%x: tensor<8xf32>, %y: tensor<8x16xf32>, %z: tensor<8x16x32xf32>) -> tensor<8xf32> {
  %0 = fusion.broadcast %x dims = [0] : tensor<8xf32> -> tensor<8x16xf32>
  %1 = arith.mulf %0, %y fastmath<reassoc> : tensor<8x16xf32>
  %2 = fusion.broadcast %1 dims = [0, 1] : tensor<8x16xf32> -> tensor<8x16x32xf32>
  %3 = arith.mulf %2, %z fastmath<reassoc> : tensor<8x16x32xf32>
  %4 = fusion.reduce add %3 dims = [1, 2] fastmath<reassoc> : tensor<8x16x32xf32> -> tensor<8xf32>
  return %4 : tensor<8xf32>
}

//--- static-transposed.mlir
func.func @f(%x: tensor<64x32xf32>, %b: tensor<32xf32>) -> tensor<32xf32> {
  %t = fusion.transpose %x permutation = [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  %0 = fusion.broadcast %b dims = [0] : tensor<32xf32> -> tensor<32x64xf32>
  %1 = arith.divf %t, %0 fastmath<reassoc> : tensor<32x64xf32>
  %2 = fusion.reduce add %1 dims = [1] fastmath<reassoc> : tensor<32x64xf32> -> tensor<32xf32>
  return %2 : tensor<32xf32>
}

//--- static-chain.mlir
func.func @f(%a: tensor<20x8xf32>, %b: tensor<8x10xf32>, %c: tensor<10xf32>, %d: tensor<20xf32>) -> tensor<20xf32> {
  %0 = fusion.broadcast %a dims = [0, 1] : tensor<20x8xf32> -> tensor<20x8x10xf32>
  %1 = fusion.broadcast %b dims = [1, 2] : tensor<8x10xf32> -> tensor<20x8x10xf32>
  %2 = fusion.broadcast %c dims = [2] : tensor<10xf32> -> tensor<20x8x10xf32>
  %3 = fusion.broadcast %d dims = [0] : tensor<20xf32> -> tensor<20x8x10xf32>
  %4 = arith.mulf %0, %1 fastmath<reassoc> : tensor<20x8x10xf32>
  %5 = arith.mulf %2, %3 fastmath<reassoc> : tensor<20x8x10xf32>
  %6 = arith.mulf %4, %5 fastmath<reassoc> : tensor<20x8x10xf32>
  %7 = fusion.reduce add %6 dims = [1, 2] fastmath<reassoc> : tensor<20x8x10xf32> -> tensor<20xf32>
  return %7 : tensor<20xf32>
}

//--- static-regroup-norm.mlir
func.func @f(%x: tensor<16x128xbf16>, %gamma: tensor<128xbf16>) -> (tensor<16x128xbf16>, tensor<f32>) {
  %xw = arith.extf %x : tensor<16x128xbf16> to tensor<16x128xf32>
  %gw = arith.extf %gamma : tensor<128xbf16> to tensor<128xf32>
  %0 = arith.mulf %xw, %xw : tensor<16x128xf32>
  %1 = fusion.reduce add %0 dims = [1] : tensor<16x128xf32> -> tensor<16xf32>
  %2 = math.rsqrt %1 : tensor<16xf32>
  %3 = fusion.broadcast %2 dims = [0] : tensor<16xf32> -> tensor<16x128xf32>
  %4 = fusion.broadcast %gw dims = [1] : tensor<128xf32> -> tensor<16x128xf32>
  %5 = arith.mulf %xw, %3 fastmath<reassoc,nnan> : tensor<16x128xf32>
  %6 = arith.mulf %5, %4 fastmath<reassoc,nnan> : tensor<16x128xf32>
  %7 = math.absf %6 : tensor<16x128xf32>
  %8 = fusion.reduce maximumf %7 dims = [0, 1] fastmath<reassoc> : tensor<16x128xf32> -> tensor<f32>
  %9 = arith.truncf %6 : tensor<16x128xf32> to tensor<16x128xbf16>
  return %9, %8 : tensor<16x128xbf16>, tensor<f32>
}

//--- static-regroup-only.mlir
func.func @f(%x: tensor<16x128xf32>, %gamma: tensor<128xf32>) -> tensor<f32> {
  %0 = arith.mulf %x, %x : tensor<16x128xf32>
  %1 = fusion.reduce add %0 dims = [1] : tensor<16x128xf32> -> tensor<16xf32>
  %2 = math.rsqrt %1 : tensor<16xf32>
  %3 = fusion.broadcast %2 dims = [0] : tensor<16xf32> -> tensor<16x128xf32>
  %4 = fusion.broadcast %gamma dims = [1] : tensor<128xf32> -> tensor<16x128xf32>
  %5 = arith.mulf %x, %3 fastmath<reassoc,nnan> : tensor<16x128xf32>
  %6 = arith.mulf %5, %4 fastmath<reassoc,nnan> : tensor<16x128xf32>
  %7 = math.absf %6 : tensor<16x128xf32>
  %8 = fusion.reduce maximumf %7 dims = [0, 1] fastmath<reassoc> : tensor<16x128xf32> -> tensor<f32>
  return %8 : tensor<f32>
}

//--- static-sigmoid-max.mlir
func.func @f(%x: tensor<32x64xf32>) -> tensor<32xf32> {
  %one = arith.constant dense<1.0> : tensor<32x64xf32>
  %0 = arith.negf %x : tensor<32x64xf32>
  %1 = math.exp %0 fastmath<afn> : tensor<32x64xf32>
  %2 = arith.addf %1, %one fastmath<nnan> : tensor<32x64xf32>
  %3 = arith.divf %one, %2 fastmath<nnan> : tensor<32x64xf32>
  %4 = fusion.reduce maximumf %3 dims = [1] : tensor<32x64xf32> -> tensor<32xf32>
  return %4 : tensor<32xf32>
}

//--- static-int-corners.mlir
func.func @f(%x: tensor<16x32xi32>, %b: tensor<16x24xi32>) -> tensor<16x24xi32> {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<16x32xi32> -> tensor<16x32x24xi32>
  %1 = fusion.broadcast %b dims = [0, 2] : tensor<16x24xi32> -> tensor<16x32x24xi32>
  %2 = arith.muli %0, %1 overflow<nsw> : tensor<16x32x24xi32>
  %3 = fusion.reduce minsi %2 dims = [1] : tensor<16x32x24xi32> -> tensor<16x24xi32>
  return %3 : tensor<16x24xi32>
}

//--- static-int-power.mlir
func.func @f(%x: tensor<16x33xi32>, %b: tensor<16xi32>) -> tensor<16xi32> {
  %0 = fusion.broadcast %b dims = [0] : tensor<16xi32> -> tensor<16x33xi32>
  %1 = arith.muli %x, %0 : tensor<16x33xi32>
  %2 = fusion.reduce mul %1 dims = [1] : tensor<16x33xi32> -> tensor<16xi32>
  return %2 : tensor<16xi32>
}

//--- static-or-and.mlir
func.func @f(%x: tensor<16x32xi32>, %b: tensor<16x24xi32>) -> (tensor<16x24xi32>,tensor<16x24xi32>,tensor<16x24xi32>) {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<16x32xi32> -> tensor<16x32x24xi32>
  %1 = fusion.broadcast %b dims = [0, 2] : tensor<16x24xi32> -> tensor<16x32x24xi32>
  %2 = arith.andi %0, %1 : tensor<16x32x24xi32>
  %3 = arith.ori %0, %1 : tensor<16x32x24xi32>
  %4 = fusion.reduce or %2 dims = [1] : tensor<16x32x24xi32> -> tensor<16x24xi32>
  %5 = fusion.reduce and %3 dims = [1] : tensor<16x32x24xi32> -> tensor<16x24xi32>
  %6 = fusion.reduce xor %2 dims = [1] : tensor<16x32x24xi32> -> tensor<16x24xi32>
  return %4, %5, %6 : tensor<16x24xi32>,tensor<16x24xi32>,tensor<16x24xi32>
}

//--- static-reshape-split.mlir
func.func @f(%x: tensor<2048xf32>, %b: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %e = tensor.expand_shape %x [[0, 1]] output_shape [64, 32] : tensor<2048xf32> into tensor<64x32xf32>
  %0 = fusion.broadcast %e dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x16xf32>
  %1 = fusion.broadcast %b dims = [0, 2] : tensor<64x16xf32> -> tensor<64x32x16xf32>
  %2 = arith.mulf %0, %1 fastmath<reassoc> : tensor<64x32x16xf32>
  %3 = fusion.reduce add %2 dims = [1] fastmath<reassoc> : tensor<64x32x16xf32> -> tensor<64x16xf32>
  return %3 : tensor<64x16xf32>
}

//--- static-group-norm-amax.mlir
func.func @f(%x: tensor<4x32x64xf32>) -> (tensor<4x32x64xf32>, tensor<4xf32>, tensor<f32>) {
  %n = arith.constant dense<0.001953125> : tensor<4x4xf32>
  %g = tensor.expand_shape %x [[0], [1, 2], [3]] output_shape [4, 4, 8, 64] : tensor<4x32x64xf32> into tensor<4x4x8x64xf32>
  %0 = fusion.reduce add %g dims = [2, 3] : tensor<4x4x8x64xf32> -> tensor<4x4xf32>
  %1 = arith.mulf %0, %n : tensor<4x4xf32>
  %2 = fusion.broadcast %1 dims = [0, 1] : tensor<4x4xf32> -> tensor<4x4x8x64xf32>
  %3 = arith.subf %g, %2 : tensor<4x4x8x64xf32>
  %4 = tensor.collapse_shape %3 [[0], [1, 2], [3]] : tensor<4x4x8x64xf32> into tensor<4x32x64xf32>
  %5 = math.absf %4 : tensor<4x32x64xf32>
  %6 = fusion.reduce maximumf %5 dims = [1, 2] : tensor<4x32x64xf32> -> tensor<4xf32>
  %7 = fusion.reduce maximumf %5 dims = [0, 1, 2] : tensor<4x32x64xf32> -> tensor<f32>
  return %4, %6, %7 : tensor<4x32x64xf32>, tensor<4xf32>, tensor<f32>
}

//--- static-scalar-all.mlir
func.func @f(%x: tensor<64xf32>, %s: tensor<f32>) -> tensor<f32> {
  %0 = fusion.broadcast %s dims = [] : tensor<f32> -> tensor<64xf32>
  %1 = arith.mulf %x, %0 fastmath<reassoc> : tensor<64xf32>
  %2 = fusion.reduce add %1 dims = [0] fastmath<reassoc> : tensor<64xf32> -> tensor<f32>
  return %2 : tensor<f32>
}

//--- static-diamond.mlir
func.func @f(%x: tensor<16x32xf32>, %a: tensor<16xf32>, %b: tensor<32xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<f32>) {
  %0 = fusion.broadcast %a dims = [0] : tensor<16xf32> -> tensor<16x32xf32>
  %1 = fusion.broadcast %b dims = [1] : tensor<32xf32> -> tensor<16x32xf32>
  %2 = arith.mulf %x, %0 fastmath<fast> : tensor<16x32xf32>
  %3 = arith.mulf %2, %1 fastmath<fast> : tensor<16x32xf32>
  %4 = arith.addf %3, %2 fastmath<fast> : tensor<16x32xf32>
  %5 = fusion.reduce add %4 dims = [1] fastmath<fast> : tensor<16x32xf32> -> tensor<16xf32>
  %6 = fusion.reduce maximumf %3 dims = [1] fastmath<reassoc> : tensor<16x32xf32> -> tensor<16xf32>
  %7 = fusion.reduce add %4 dims = [0, 1] fastmath<fast> : tensor<16x32xf32> -> tensor<f32>
  return %5, %6, %7 : tensor<16xf32>, tensor<16xf32>, tensor<f32>
}

//--- static-sum-of-sums.mlir
func.func @f(%x: tensor<16x32x8xf32>) -> (tensor<f32>, tensor<16xf32>) {
  %0 = fusion.reduce add %x dims = [2] : tensor<16x32x8xf32> -> tensor<16x32xf32>
  %1 = fusion.reduce add %0 dims = [1] : tensor<16x32xf32> -> tensor<16xf32>
  %2 = fusion.reduce add %1 dims = [0] : tensor<16xf32> -> tensor<f32>
  return %2, %1 : tensor<f32>, tensor<16xf32>
}

//--- static-bias-grad.mlir
func.func @f(%g: tensor<64xf32>, %x: tensor<16x64xf32>) -> (tensor<64xf32>, tensor<16xf32>) {
  %0 = fusion.broadcast %g dims = [1] : tensor<64xf32> -> tensor<16x64xf32>
  %1 = fusion.reduce add %0 dims = [0] : tensor<16x64xf32> -> tensor<64xf32>
  %2 = arith.addf %0, %x fastmath<reassoc> : tensor<16x64xf32>
  %3 = fusion.reduce add %2 dims = [1] fastmath<reassoc> : tensor<16x64xf32> -> tensor<16xf32>
  return %1, %3 : tensor<64xf32>, tensor<16xf32>
}

//--- static-masked.mlir
func.func @f(%c: tensor<16x32xi1>, %x: tensor<16x32xf32>, %b: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %ninf = arith.constant dense<0xFF800000> : tensor<16x32xf32>
  %0 = fusion.broadcast %b dims = [0] : tensor<16xf32> -> tensor<16x32xf32>
  %1 = arith.mulf %x, %0 fastmath<reassoc> : tensor<16x32xf32>
  %2 = arith.select %c, %1, %zero : tensor<16x32xi1>, tensor<16x32xf32>
  %3 = fusion.reduce add %2 dims = [1] fastmath<reassoc> : tensor<16x32xf32> -> tensor<16xf32>
  %4 = arith.select %c, %x, %ninf : tensor<16x32xi1>, tensor<16x32xf32>
  %5 = fusion.reduce maximumf %4 dims = [1] : tensor<16x32xf32> -> tensor<16xf32>
  return %3, %5 : tensor<16xf32>, tensor<16xf32>
}

//--- static-unit-dims.mlir
func.func @f(%x: tensor<16x1x32xf32>, %b: tensor<16x1x1xf32>) -> tensor<16x1xf32> {
  %0 = fusion.broadcast %b dims = [0, 1, 2] : tensor<16x1x1xf32> -> tensor<16x1x32xf32>
  %1 = arith.addf %x, %0 fastmath<nnan> : tensor<16x1x32xf32>
  %2 = fusion.reduce minimumf %1 dims = [1] : tensor<16x1x32xf32> -> tensor<16x32xf32>
  %3 = fusion.broadcast %2 dims = [0, 2] : tensor<16x32xf32> -> tensor<16x1x32xf32>
  %4 = fusion.reduce minimumf %3 dims = [2] : tensor<16x1x32xf32> -> tensor<16x1xf32>
  return %4 : tensor<16x1xf32>
}

//--- static-f64.mlir
func.func @f(%x: tensor<16x32xf32>, %b: tensor<16xf64>) -> tensor<16xf64> {
  %0 = arith.extf %x : tensor<16x32xf32> to tensor<16x32xf64>
  %1 = fusion.broadcast %b dims = [0] : tensor<16xf64> -> tensor<16x32xf64>
  %2 = arith.mulf %0, %1 fastmath<reassoc> : tensor<16x32xf64>
  %3 = fusion.reduce add %2 dims = [1] fastmath<reassoc> : tensor<16x32xf64> -> tensor<16xf64>
  return %3 : tensor<16xf64>
}

//--- static-mixed-kinds.mlir
func.func @f(%x: tensor<16x32xf16>) -> (tensor<16xf16>, tensor<16xf32>, tensor<16xf16>, tensor<16xf16>, tensor<f16>) {
  %w = arith.extf %x : tensor<16x32xf16> to tensor<16x32xf32>
  %e = math.exp %w fastmath<afn> : tensor<16x32xf32>
  %h = arith.truncf %e : tensor<16x32xf32> to tensor<16x32xf16>
  %0 = fusion.reduce maxnumf %h dims = [1] : tensor<16x32xf16> -> tensor<16xf16>
  %1 = fusion.reduce add %h dims = [1] : tensor<16x32xf16> -> tensor<16xf32>
  %2 = fusion.reduce minimumf %h dims = [1] : tensor<16x32xf16> -> tensor<16xf16>
  %3 = fusion.reduce mul %h dims = [1] : tensor<16x32xf16> -> tensor<16xf16>
  %4 = fusion.reduce maximumf %2 dims = [0] : tensor<16xf16> -> tensor<f16>
  return %0, %1, %2, %3, %4 : tensor<16xf16>, tensor<16xf32>, tensor<16xf16>, tensor<16xf16>, tensor<f16>
}

//--- static-batchnorm-side.mlir
func.func @f(%x: tensor<4x16x8x8xf32>) -> (tensor<4x16x8x8xf32>, tensor<f32>, tensor<16xf32>) {
  %n = arith.constant dense<0.00390625> : tensor<16xf32>
  %0 = fusion.reduce add %x dims = [0, 2, 3] : tensor<4x16x8x8xf32> -> tensor<16xf32>
  %1 = arith.mulf %0, %n : tensor<16xf32>
  %2 = fusion.broadcast %1 dims = [1] : tensor<16xf32> -> tensor<4x16x8x8xf32>
  %3 = arith.subf %x, %2 : tensor<4x16x8x8xf32>
  %4 = arith.mulf %3, %3 : tensor<4x16x8x8xf32>
  %5 = fusion.reduce add %4 dims = [0, 1, 2, 3] : tensor<4x16x8x8xf32> -> tensor<f32>
  %6 = fusion.reduce add %4 dims = [0, 2, 3] : tensor<4x16x8x8xf32> -> tensor<16xf32>
  return %3, %5, %6 : tensor<4x16x8x8xf32>, tensor<f32>, tensor<16xf32>
}

//--- static-shared-trade.mlir
func.func @f(%x: tensor<8x16xf32>, %b: tensor<8x24xf32>) -> (tensor<8x16x24xf32>, tensor<8x24xf32>, tensor<8x16xf32>) {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<8x16xf32> -> tensor<8x16x24xf32>
  %1 = fusion.broadcast %b dims = [0, 2] : tensor<8x24xf32> -> tensor<8x16x24xf32>
  %2 = arith.mulf %0, %1 fastmath<reassoc> : tensor<8x16x24xf32>
  %3 = fusion.reduce add %2 dims = [1] fastmath<reassoc> : tensor<8x16x24xf32> -> tensor<8x24xf32>
  %4 = fusion.reduce add %2 dims = [2] fastmath<reassoc> : tensor<8x16x24xf32> -> tensor<8x16xf32>
  return %2, %3, %4 : tensor<8x16x24xf32>, tensor<8x24xf32>, tensor<8x16xf32>
}

//--- static-neg-stuff.mlir
func.func @f(%x: tensor<16x33xf32>, %b: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %bb = fusion.broadcast %b dims = [0] : tensor<16xf32> -> tensor<16x33xf32>
  %0 = arith.negf %x fastmath<reassoc> : tensor<16x33xf32>
  %1 = arith.mulf %0, %bb fastmath<reassoc,nnan,ninf> : tensor<16x33xf32>
  %2 = fusion.reduce add %1 dims = [1] fastmath<reassoc> : tensor<16x33xf32> -> tensor<16xf32>
  %3 = fusion.reduce minimumf %1 dims = [1] fastmath<reassoc> : tensor<16x33xf32> -> tensor<16xf32>
  %4 = fusion.reduce mul %0 dims = [1] fastmath<reassoc> : tensor<16x33xf32> -> tensor<16xf32>
  return %2, %3, %4 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

//--- static-max-quotient-cols.mlir
func.func @f(%x: tensor<32x64xf32>, %s: tensor<32xf32>) -> tensor<64xf32> {
  %e = math.exp %s : tensor<32xf32>
  %b = fusion.broadcast %e dims = [0] : tensor<32xf32> -> tensor<32x64xf32>
  %0 = arith.divf %x, %b fastmath<nnan> : tensor<32x64xf32>
  %1 = fusion.reduce maximumf %0 dims = [0] : tensor<32x64xf32> -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

//--- rows.mlir
func.func @f(%x: tensor<?x64xf32>, %b: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %0 = fusion.broadcast %b [%n] dims = [1] : tensor<64xf32> -> tensor<?x64xf32>
  %1 = arith.mulf %x, %0 fastmath<reassoc,nnan> : tensor<?x64xf32>
  %2 = fusion.reduce add %1 dims = [0] fastmath<reassoc> : tensor<?x64xf32> -> tensor<64xf32>
  %3 = fusion.reduce maximumf %1 dims = [0] fastmath<reassoc> : tensor<?x64xf32> -> tensor<64xf32>
  %4 = fusion.reduce add %0 dims = [0] fastmath<reassoc> : tensor<?x64xf32> -> tensor<64xf32>
  %5 = fusion.reduce maximumf %0 dims = [0] : tensor<?x64xf32> -> tensor<64xf32>
  return %2, %3, %4, %5 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

//--- many-columns.mlir
// 70001 is no f16.
func.func @f(%b: tensor<4xf16>) -> tensor<4xf16> {
  %0 = fusion.broadcast %b dims = [0] : tensor<4xf16> -> tensor<4x70001xf16>
  %1 = fusion.reduce add %0 dims = [1] fastmath<reassoc> : tensor<4x70001xf16> -> tensor<4xf16>
  return %1 : tensor<4xf16>
}

//--- calls.mlir
func.func private @g(%x: tensor<16x32xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
  %bb = fusion.broadcast %b dims = [0] : tensor<16xf32> -> tensor<16x32xf32>
  %1 = arith.mulf %x, %bb fastmath<reassoc> : tensor<16x32xf32>
  %2 = fusion.reduce add %1 dims = [1] fastmath<reassoc> : tensor<16x32xf32> -> tensor<16xf32>
  return %2 : tensor<16xf32>
}
func.func @f(%x: tensor<16x32xf32>, %b: tensor<16xf32>) -> tensor<f32> {
  %0 = call @g(%x, %b) : (tensor<16x32xf32>, tensor<16xf32>) -> tensor<16xf32>
  %1 = fusion.reduce add %0 dims = [0] fastmath<reassoc> : tensor<16xf32> -> tensor<f32>
  return %1 : tensor<f32>
}

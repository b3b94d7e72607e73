// Programs at the edge of what a kernel can be compile to PTX that assembles.
// REQUIRES: ptxas, libdevice
// RUN: rm -rf %t && mkdir %t
// RUN: fusion-opt %s --fusion-to-ptx=chip=sm_90 | %{python} %S/../Inputs/extract-ptx.py -o %t
// RUN: %{python} %S/Inputs/assemble.py %ptxas sm_90 %t | FileCheck %s

// CHECK: alone_0.ptx
// CHECK: constants_0.ptx
// CHECK: long_name_
// CHECK: no_element_input_0.ptx
// CHECK: one_column_0.ptx
// CHECK: one_row_0.ptx
// CHECK: rank_10_0.ptx
// CHECK: scalars_0.ptx
// CHECK: two_levels_0.ptx
// CHECK: two_segments_0.ptx
// CHECK: two_segments_1.ptx

func.func @alone(%x: tensor<1x1xf16>) -> (tensor<1xf16>, tensor<1xf16>, tensor<1x1xf16>) {
  %r = fusion.reduce add %x dims = [1] : tensor<1x1xf16> -> tensor<1xf16>
  %c = fusion.reduce add %x dims = [0] : tensor<1x1xf16> -> tensor<1xf16>
  %e = math.exp %x : tensor<1x1xf16>
  return %r, %c, %e : tensor<1xf16>, tensor<1xf16>, tensor<1x1xf16>
}

// Data constants, a value returned twice, an input and a constant returned.
func.func @constants(%x: tensor<4x2xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<4x2xf32>, tensor<2xf32>, tensor<3xf32>) {
  %k = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %l = arith.constant dense<7.0> : tensor<3xf32>
  %kb = fusion.broadcast %k dims = [1] : tensor<2xf32> -> tensor<4x2xf32>
  %y = arith.mulf %x, %kb : tensor<4x2xf32>
  %r = fusion.reduce add %y dims = [1] : tensor<4x2xf32> -> tensor<4xf32>
  %c = fusion.reduce add %y dims = [0] : tensor<4x2xf32> -> tensor<2xf32>
  return %r, %r, %c, %x, %k, %l : tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<4x2xf32>, tensor<2xf32>, tensor<3xf32>
}

func.func @"long name/with.everything-in_it aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %r, %c : tensor<4xf32>, tensor<8xf32>
}

// An outer product: nothing that varies over rows and columns is read.
func.func @no_element_input(%a: tensor<33xf32>, %b: tensor<17xf32>) -> (tensor<33xf32>, tensor<17xf32>) {
  %ab = fusion.broadcast %a dims = [0] : tensor<33xf32> -> tensor<33x17xf32>
  %bb = fusion.broadcast %b dims = [1] : tensor<17xf32> -> tensor<33x17xf32>
  %y = arith.mulf %ab, %bb : tensor<33x17xf32>
  %r = fusion.reduce add %y dims = [1] : tensor<33x17xf32> -> tensor<33xf32>
  %c = fusion.reduce maximumf %y dims = [0] : tensor<33x17xf32> -> tensor<17xf32>
  return %r, %c : tensor<33xf32>, tensor<17xf32>
}

func.func @one_column(%x: tensor<70x1xbf16>) -> (tensor<70xbf16>, tensor<70xbf16>, tensor<1xf32>) {
  %s = fusion.squeeze %x dims = [1] : tensor<70x1xbf16> -> tensor<70xbf16>
  %k = tensor.collapse_shape %x [[0, 1]] : tensor<70x1xbf16> into tensor<70xbf16>
  %q = arith.addf %s, %k : tensor<70xbf16>
  %c = fusion.reduce add %x dims = [0] : tensor<70x1xbf16> -> tensor<1xf32>
  return %s, %q, %c : tensor<70xbf16>, tensor<70xbf16>, tensor<1xf32>
}

func.func @one_row(%x: tensor<1x70xf32>) -> (tensor<1xf32>, tensor<70xf32>, tensor<70xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<1x70xf32> -> tensor<1xf32>
  %s = fusion.squeeze %x dims = [0] : tensor<1x70xf32> -> tensor<70xf32>
  %k = tensor.collapse_shape %x [[0, 1]] : tensor<1x70xf32> into tensor<70xf32>
  %q = arith.addf %s, %k : tensor<70xf32>
  return %r, %s, %q : tensor<1xf32>, tensor<70xf32>, tensor<70xf32>
}

func.func @rank_10(%x: tensor<2x3x1x2x1x2x1x3x2x2xf32>) -> (tensor<2x3x1x2x1xf32>, tensor<2x1x3x2x2xf32>) {
  %r = fusion.reduce add %x dims = [5, 6, 7, 8, 9] : tensor<2x3x1x2x1x2x1x3x2x2xf32> -> tensor<2x3x1x2x1xf32>
  %c = fusion.reduce add %x dims = [0, 1, 2, 3, 4] : tensor<2x3x1x2x1x2x1x3x2x2xf32> -> tensor<2x1x3x2x2xf32>
  return %r, %c : tensor<2x3x1x2x1xf32>, tensor<2x1x3x2x2xf32>
}

// A scalar argument, a tensor of rank 0, and a scalar result.
func.func @scalars(%x: tensor<5x9xf32>, %s: f32, %t: tensor<f32>) -> (tensor<5xf32>, tensor<9xf32>, tensor<f32>) {
  %u = arith.mulf %t, %t : tensor<f32>
  %sb = tensor.splat %s : tensor<5x9xf32>
  %ub = fusion.broadcast %u dims = [] : tensor<f32> -> tensor<5x9xf32>
  %y = arith.mulf %x, %sb : tensor<5x9xf32>
  %z = arith.addf %y, %ub : tensor<5x9xf32>
  %r = fusion.reduce add %z dims = [1] : tensor<5x9xf32> -> tensor<5xf32>
  %c = fusion.reduce add %z dims = [0] : tensor<5x9xf32> -> tensor<9xf32>
  return %r, %c, %u : tensor<5xf32>, tensor<9xf32>, tensor<f32>
}

func.func @two_levels(%x: tensor<7x130xf32>) -> (tensor<7x130xf32>, tensor<130xbf16>) {
  %m = fusion.reduce maximumf %x dims = [1] : tensor<7x130xf32> -> tensor<7xf32>
  %mb = fusion.broadcast %m dims = [0] : tensor<7xf32> -> tensor<7x130xf32>
  %d = arith.subf %x, %mb : tensor<7x130xf32>
  %e = math.exp %d : tensor<7x130xf32>
  %s = fusion.reduce add %e dims = [1] : tensor<7x130xf32> -> tensor<7xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<7xf32> -> tensor<7x130xf32>
  %p = arith.divf %e, %sb : tensor<7x130xf32>
  %c = fusion.reduce add %p dims = [0] : tensor<7x130xf32> -> tensor<130xf32>
  %t = arith.truncf %c : tensor<130xf32> to tensor<130xbf16>
  return %p, %t : tensor<7x130xf32>, tensor<130xbf16>
}

// The second reads what the first gives, through a call.
func.func private @between(tensor<8xf32>) -> tensor<4x8xf32>
func.func @two_segments(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  %y = call @between(%c) : (tensor<8xf32>) -> tensor<4x8xf32>
  %s = fusion.reduce mul %y dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %d = fusion.reduce mul %y dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %r, %s, %d : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>
}

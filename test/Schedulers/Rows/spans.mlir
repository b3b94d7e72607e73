// Rows of which parts are reduced as well, in one kernel: parts before and after
// the row, in parts, of several lengths, narrower than a tile, as wide as lanes
// of a warp, wider, and of lengths that are no power of two.
//
// DEFINE: %{function} =
// DEFINE: %{run} = fusion-runner %s --function=%{function} --device=sim --verify --print-plan | FileCheck %s --check-prefix=ONE
// ONE: plan: 1 segments, 1 launches
//
// REDEFINE: %{function} = row_after_parts
// RUN: %{run}
// REDEFINE: %{function} = scales_of_scales
// RUN: %{run}
// REDEFINE: %{function} = two_sizes
// RUN: %{run}
// REDEFINE: %{function} = two_groupings
// RUN: %{run}
// REDEFINE: %{function} = softmax_of_parts
// RUN: %{run}
// REDEFINE: %{function} = masks
// RUN: %{run}
// REDEFINE: %{function} = bytes
// RUN: %{run}
// REDEFINE: %{function} = doubles
// RUN: %{run}
// REDEFINE: %{function} = sums_of_sums
// RUN: %{run}
// REDEFINE: %{function} = parts_of_33
// RUN: %{run}
// REDEFINE: %{function} = parts_of_48
// RUN: %{run}
// REDEFINE: %{function} = parts_of_512
// RUN: %{run}

// The scale of each part, then the sum of the squares of what they scale.
func.func @row_after_parts(%x: tensor<5x384xf32>) -> (tensor<5x384xf32>, tensor<5xf32>) {
  %p = tensor.expand_shape %x [[0], [1, 2]] output_shape [5, 12, 32] : tensor<5x384xf32> into tensor<5x12x32xf32>
  %a = math.absf %p : tensor<5x12x32xf32>
  %m = fusion.reduce maximumf %a dims = [2] : tensor<5x12x32xf32> -> tensor<5x12xf32>
  %mb = fusion.broadcast %m dims = [0, 1] : tensor<5x12xf32> -> tensor<5x12x32xf32>
  %q = arith.divf %p, %mb : tensor<5x12x32xf32>
  %s = arith.mulf %q, %q : tensor<5x12x32xf32>
  %r = fusion.reduce add %s dims = [1, 2] : tensor<5x12x32xf32> -> tensor<5xf32>
  %rb = fusion.broadcast %r dims = [0] : tensor<5xf32> -> tensor<5x12x32xf32>
  %y = arith.divf %q, %rb : tensor<5x12x32xf32>
  %z = tensor.collapse_shape %y [[0], [1, 2]] : tensor<5x12x32xf32> into tensor<5x384xf32>
  return %z, %r : tensor<5x384xf32>, tensor<5xf32>
}

// Scales of 16 elements, and of the scales of a row: each counts once.
func.func @scales_of_scales(%x: tensor<6x20x16xbf16>) -> (tensor<6x20x16xf8E4M3FN>, tensor<6x20xf32>, tensor<6xf32>) {
  %f = arith.extf %x : tensor<6x20x16xbf16> to tensor<6x20x16xf32>
  %a = math.absf %f : tensor<6x20x16xf32>
  %m = fusion.reduce add %a dims = [2] : tensor<6x20x16xf32> -> tensor<6x20xf32>
  %e = math.sqrt %m : tensor<6x20xf32>
  %g = fusion.reduce add %e dims = [1] : tensor<6x20xf32> -> tensor<6xf32>
  %gb = fusion.broadcast %g dims = [0] : tensor<6xf32> -> tensor<6x20xf32>
  %s = arith.divf %e, %gb : tensor<6x20xf32>
  %sb = fusion.broadcast %s dims = [0, 1] : tensor<6x20xf32> -> tensor<6x20x16xf32>
  %y = arith.divf %f, %sb : tensor<6x20x16xf32>
  %t = arith.truncf %y : tensor<6x20x16xf32> to tensor<6x20x16xf8E4M3FN>
  return %t, %s, %g : tensor<6x20x16xf8E4M3FN>, tensor<6x20xf32>, tensor<6xf32>
}

func.func @two_sizes(%x: tensor<3x5x4x32xf16>) -> (tensor<3x5x4x32xf16>, tensor<3x5x4xf32>, tensor<3x5xf32>) {
  %f = arith.extf %x : tensor<3x5x4x32xf16> to tensor<3x5x4x32xf32>
  %s = fusion.reduce add %f dims = [1, 2, 3] : tensor<3x5x4x32xf32> -> tensor<3xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<3xf32> -> tensor<3x5x4x32xf32>
  %c = arith.subf %f, %sb : tensor<3x5x4x32xf32>
  %m = fusion.reduce maximumf %c dims = [3] : tensor<3x5x4x32xf32> -> tensor<3x5x4xf32>
  %n = fusion.reduce minimumf %c dims = [2, 3] : tensor<3x5x4x32xf32> -> tensor<3x5xf32>
  %mb = fusion.broadcast %m dims = [0, 1, 2] : tensor<3x5x4xf32> -> tensor<3x5x4x32xf32>
  %nb = fusion.broadcast %n dims = [0, 1] : tensor<3x5xf32> -> tensor<3x5x4x32xf32>
  %d = arith.subf %mb, %nb : tensor<3x5x4x32xf32>
  %y = arith.divf %c, %d : tensor<3x5x4x32xf32>
  %t = arith.truncf %y : tensor<3x5x4x32xf32> to tensor<3x5x4x32xf16>
  return %t, %m, %n : tensor<3x5x4x32xf16>, tensor<3x5x4xf32>, tensor<3x5xf32>
}

// Two reshapes group the columns of one tensor differently.
func.func @two_groupings(%x: tensor<3x640xf32>) -> (tensor<3x640xf32>, tensor<3x20xf32>, tensor<3x5xf32>) {
  %s = fusion.reduce add %x dims = [1] : tensor<3x640xf32> -> tensor<3xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<3xf32> -> tensor<3x640xf32>
  %c = arith.subf %x, %sb : tensor<3x640xf32>
  %p = tensor.expand_shape %c [[0], [1, 2]] output_shape [3, 20, 32] : tensor<3x640xf32> into tensor<3x20x32xf32>
  %m = fusion.reduce maximumf %p dims = [2] : tensor<3x20x32xf32> -> tensor<3x20xf32>
  %q = tensor.expand_shape %c [[0], [1, 2]] output_shape [3, 5, 128] : tensor<3x640xf32> into tensor<3x5x128xf32>
  %n = fusion.reduce minimumf %q dims = [2] : tensor<3x5x128xf32> -> tensor<3x5xf32>
  return %c, %m, %n : tensor<3x640xf32>, tensor<3x20xf32>, tensor<3x5xf32>
}

// A softmax of each part of a normalised row, and products of 2 columns, fewer
// than a tile has.
func.func @softmax_of_parts(%x: tensor<7x6x8x2xf32>) -> (tensor<7x6x8x2xf32>, tensor<7x6x8xf32>) {
  %s = fusion.reduce add %x dims = [1, 2, 3] : tensor<7x6x8x2xf32> -> tensor<7xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<7xf32> -> tensor<7x6x8x2xf32>
  %c = arith.subf %x, %sb : tensor<7x6x8x2xf32>
  %m = fusion.reduce maximumf %c dims = [2, 3] : tensor<7x6x8x2xf32> -> tensor<7x6xf32>
  %mb = fusion.broadcast %m dims = [0, 1] : tensor<7x6xf32> -> tensor<7x6x8x2xf32>
  %d = arith.subf %c, %mb : tensor<7x6x8x2xf32>
  %e = math.exp %d : tensor<7x6x8x2xf32>
  %t = fusion.reduce add %e dims = [2, 3] : tensor<7x6x8x2xf32> -> tensor<7x6xf32>
  %tb = fusion.broadcast %t dims = [0, 1] : tensor<7x6xf32> -> tensor<7x6x8x2xf32>
  %y = arith.divf %e, %tb : tensor<7x6x8x2xf32>
  %k = fusion.reduce mul %y dims = [3] : tensor<7x6x8x2xf32> -> tensor<7x6x8xf32>
  return %y, %k : tensor<7x6x8x2xf32>, tensor<7x6x8xf32>
}

func.func @masks(%x: tensor<4x3x24xi1>) -> (tensor<4x3xi1>, tensor<4xi1>, tensor<4x3x24xi1>) {
  %s = fusion.reduce or %x dims = [2] : tensor<4x3x24xi1> -> tensor<4x3xi1>
  %r = fusion.reduce and %x dims = [1, 2] : tensor<4x3x24xi1> -> tensor<4xi1>
  %rb = fusion.broadcast %r dims = [0] : tensor<4xi1> -> tensor<4x3x24xi1>
  %sb = fusion.broadcast %s dims = [0, 1] : tensor<4x3xi1> -> tensor<4x3x24xi1>
  %y = arith.xori %rb, %sb : tensor<4x3x24xi1>
  %z = arith.xori %y, %x : tensor<4x3x24xi1>
  return %s, %r, %z : tensor<4x3xi1>, tensor<4xi1>, tensor<4x3x24xi1>
}

func.func @bytes(%x: tensor<4x10x16xi8>) -> (tensor<4x10xi8>, tensor<4x10xi8>, tensor<4xi8>, tensor<4x10x16xi8>) {
  %s = fusion.reduce add %x dims = [2] : tensor<4x10x16xi8> -> tensor<4x10xi8>
  %m = fusion.reduce minsi %x dims = [2] : tensor<4x10x16xi8> -> tensor<4x10xi8>
  %r = fusion.reduce xor %x dims = [1, 2] : tensor<4x10x16xi8> -> tensor<4xi8>
  %rb = fusion.broadcast %r dims = [0] : tensor<4xi8> -> tensor<4x10x16xi8>
  %mb = fusion.broadcast %m dims = [0, 1] : tensor<4x10xi8> -> tensor<4x10x16xi8>
  %d = arith.subi %x, %mb : tensor<4x10x16xi8>
  %y = arith.xori %rb, %d : tensor<4x10x16xi8>
  return %s, %m, %r, %y : tensor<4x10xi8>, tensor<4x10xi8>, tensor<4xi8>, tensor<4x10x16xi8>
}

func.func @doubles(%x: tensor<5x7x16xf64>) -> (tensor<5x7x16xf64>, tensor<5x7xf64>) {
  %s = fusion.reduce add %x dims = [1, 2] : tensor<5x7x16xf64> -> tensor<5xf64>
  %sb = fusion.broadcast %s dims = [0] : tensor<5xf64> -> tensor<5x7x16xf64>
  %d = arith.subf %x, %sb : tensor<5x7x16xf64>
  %m = fusion.reduce add %d dims = [2] : tensor<5x7x16xf64> -> tensor<5x7xf64>
  %mb = fusion.broadcast %m dims = [0, 1] : tensor<5x7xf64> -> tensor<5x7x16xf64>
  %y = arith.mulf %d, %mb : tensor<5x7x16xf64>
  return %y, %m : tensor<5x7x16xf64>, tensor<5x7xf64>
}

// One row: sums of rows, and of all.
func.func @sums_of_sums(%x: tensor<16x96xf32>) -> (tensor<16x96xf32>, tensor<16xf32>) {
  %q = arith.mulf %x, %x : tensor<16x96xf32>
  %s = fusion.reduce add %q dims = [1] : tensor<16x96xf32> -> tensor<16xf32>
  %r = math.sqrt %s : tensor<16xf32>
  %t = fusion.reduce add %r dims = [0] : tensor<16xf32> -> tensor<f32>
  %tb = fusion.broadcast %t dims = [] : tensor<f32> -> tensor<16x96xf32>
  %y = arith.divf %x, %tb : tensor<16x96xf32>
  return %y, %r : tensor<16x96xf32>, tensor<16xf32>
}

func.func @parts_of_33(%x: tensor<3x330xf32>, %gamma: tensor<330xf32>) -> (tensor<3x10x33xf32>, tensor<3x10xf32>) {
  %z = arith.constant dense<1.0> : tensor<3x330xf32>
  %0 = arith.mulf %x, %z : tensor<3x330xf32>
  %1 = arith.mulf %0, %0 : tensor<3x330xf32>
  %2 = fusion.reduce add %1 dims = [1] : tensor<3x330xf32> -> tensor<3xf32>
  %7 = math.rsqrt %2 : tensor<3xf32>
  %8 = fusion.broadcast %7 dims = [0] : tensor<3xf32> -> tensor<3x330xf32>
  %9 = arith.mulf %0, %8 : tensor<3x330xf32>
  %11 = fusion.broadcast %gamma dims = [1] : tensor<330xf32> -> tensor<3x330xf32>
  %12 = arith.mulf %9, %11 : tensor<3x330xf32>
  %13 = tensor.expand_shape %12 [[0], [1, 2]] output_shape [3, 10, 33] : tensor<3x330xf32> into tensor<3x10x33xf32>
  %14 = math.absf %13 : tensor<3x10x33xf32>
  %15 = fusion.reduce maximumf %14 dims = [2] : tensor<3x10x33xf32> -> tensor<3x10xf32>
  %16 = fusion.broadcast %15 dims = [0, 1] : tensor<3x10xf32> -> tensor<3x10x33xf32>
  %17 = arith.divf %13, %16 : tensor<3x10x33xf32>
  %18 = arith.negf %17 : tensor<3x10x33xf32>
  return %18, %15 : tensor<3x10x33xf32>, tensor<3x10xf32>
}

func.func @parts_of_48(%x: tensor<3x480xbf16>, %gamma: tensor<480xf32>) -> (tensor<3x10x48xbf16>, tensor<3x10xf32>) {
  %0 = arith.extf %x : tensor<3x480xbf16> to tensor<3x480xf32>
  %1 = arith.mulf %0, %0 : tensor<3x480xf32>
  %2 = fusion.reduce add %1 dims = [1] : tensor<3x480xf32> -> tensor<3xf32>
  %7 = math.rsqrt %2 : tensor<3xf32>
  %8 = fusion.broadcast %7 dims = [0] : tensor<3xf32> -> tensor<3x480xf32>
  %9 = arith.mulf %0, %8 : tensor<3x480xf32>
  %11 = fusion.broadcast %gamma dims = [1] : tensor<480xf32> -> tensor<3x480xf32>
  %12 = arith.mulf %9, %11 : tensor<3x480xf32>
  %13 = tensor.expand_shape %12 [[0], [1, 2]] output_shape [3, 10, 48] : tensor<3x480xf32> into tensor<3x10x48xf32>
  %14 = math.absf %13 : tensor<3x10x48xf32>
  %15 = fusion.reduce maximumf %14 dims = [2] : tensor<3x10x48xf32> -> tensor<3x10xf32>
  %16 = fusion.broadcast %15 dims = [0, 1] : tensor<3x10xf32> -> tensor<3x10x48xf32>
  %17 = arith.divf %13, %16 : tensor<3x10x48xf32>
  %18 = arith.truncf %17 : tensor<3x10x48xf32> to tensor<3x10x48xbf16>
  return %18, %15 : tensor<3x10x48xbf16>, tensor<3x10xf32>
}

func.func @parts_of_512(%x: tensor<2x2560xf32>, %gamma: tensor<2560xf32>) -> (tensor<2x5x512xf32>, tensor<2x5xf32>) {
  %z = arith.constant dense<1.0> : tensor<2x2560xf32>
  %0 = arith.mulf %x, %z : tensor<2x2560xf32>
  %1 = arith.mulf %0, %0 : tensor<2x2560xf32>
  %2 = fusion.reduce add %1 dims = [1] : tensor<2x2560xf32> -> tensor<2xf32>
  %7 = math.rsqrt %2 : tensor<2xf32>
  %8 = fusion.broadcast %7 dims = [0] : tensor<2xf32> -> tensor<2x2560xf32>
  %9 = arith.mulf %0, %8 : tensor<2x2560xf32>
  %11 = fusion.broadcast %gamma dims = [1] : tensor<2560xf32> -> tensor<2x2560xf32>
  %12 = arith.mulf %9, %11 : tensor<2x2560xf32>
  %13 = tensor.expand_shape %12 [[0], [1, 2]] output_shape [2, 5, 512] : tensor<2x2560xf32> into tensor<2x5x512xf32>
  %14 = math.absf %13 : tensor<2x5x512xf32>
  %15 = fusion.reduce maximumf %14 dims = [2] : tensor<2x5x512xf32> -> tensor<2x5xf32>
  %16 = fusion.broadcast %15 dims = [0, 1] : tensor<2x5xf32> -> tensor<2x5x512xf32>
  %17 = arith.divf %13, %16 : tensor<2x5x512xf32>
  %18 = arith.negf %17 : tensor<2x5x512xf32>
  return %18, %15 : tensor<2x5x512xf32>, tensor<2x5xf32>
}

// Row kernels give what the reference gives: odd and prime extents, columns that
// lie apart in memory, params of part of the rows, several sets of columns, and
// every kind of element type.
//
// DEFINE: %{function} =
// DEFINE: %{run} = fusion-runner %s --function=%{function} --device=sim --verify
//
// REDEFINE: %{function} = softmax_odd
// RUN: %{run}
// REDEFINE: %{function} = group_norm
// RUN: %{run}
// REDEFINE: %{function} = adaptive
// RUN: %{run}
// REDEFINE: %{function} = two_columns
// RUN: %{run}
// REDEFINE: %{function} = batch_statistics
// RUN: %{run}
// REDEFINE: %{function} = one_row
// RUN: %{run}
// REDEFINE: %{function} = one_column
// RUN: %{run}
// REDEFINE: %{function} = masks
// RUN: %{run}
// REDEFINE: %{function} = row_sum_f64
// RUN: %{run}
// REDEFINE: %{function} = scalar_param
// RUN: %{run}
// REDEFINE: %{function} = no_columns
// RUN: %{run}
// REDEFINE: %{function} = no_rows
// RUN: %{run}
// REDEFINE: %{function} = transposed
// RUN: %{run}

func.func @softmax_odd(%x: tensor<37x1987xf32>) -> tensor<37x1987xf32> {
  %m = fusion.reduce maximumf %x dims = [1] : tensor<37x1987xf32> -> tensor<37xf32>
  %mb = fusion.broadcast %m dims = [0] : tensor<37xf32> -> tensor<37x1987xf32>
  %d = arith.subf %x, %mb : tensor<37x1987xf32>
  %e = math.exp %d : tensor<37x1987xf32>
  %s = fusion.reduce add %e dims = [1] : tensor<37x1987xf32> -> tensor<37xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<37xf32> -> tensor<37x1987xf32>
  %y = arith.divf %e, %sb : tensor<37x1987xf32>
  return %y : tensor<37x1987xf32>
}

// The mean of each sample and group of channels; scale and bias by channel.
func.func @group_norm(%x: tensor<2x8x6x5xbf16>, %gamma: tensor<8xf32>, %beta: tensor<8xf32>) -> (tensor<2x8x6x5xbf16>, tensor<2x4xf32>) {
  %w = arith.extf %x : tensor<2x8x6x5xbf16> to tensor<2x8x6x5xf32>
  %g = tensor.expand_shape %w [[0], [1, 2], [3], [4]] output_shape [2, 4, 2, 6, 5] : tensor<2x8x6x5xf32> into tensor<2x4x2x6x5xf32>
  %s = fusion.reduce add %g dims = [2, 3, 4] : tensor<2x4x2x6x5xf32> -> tensor<2x4xf32>
  %k = arith.constant dense<0.0166666667> : tensor<2x4xf32>
  %mean = arith.mulf %s, %k : tensor<2x4xf32>
  %mb = fusion.broadcast %mean dims = [0, 1] : tensor<2x4xf32> -> tensor<2x4x2x6x5xf32>
  %d = arith.subf %g, %mb : tensor<2x4x2x6x5xf32>
  %q = arith.mulf %d, %d : tensor<2x4x2x6x5xf32>
  %qs = fusion.reduce add %q dims = [2, 3, 4] : tensor<2x4x2x6x5xf32> -> tensor<2x4xf32>
  %var = arith.mulf %qs, %k : tensor<2x4xf32>
  %eps = arith.constant dense<1.0e-5> : tensor<2x4xf32>
  %ve = arith.addf %var, %eps : tensor<2x4xf32>
  %r = math.rsqrt %ve : tensor<2x4xf32>
  %rb = fusion.broadcast %r dims = [0, 1] : tensor<2x4xf32> -> tensor<2x4x2x6x5xf32>
  %n = arith.mulf %d, %rb : tensor<2x4x2x6x5xf32>
  %n4 = tensor.collapse_shape %n [[0], [1, 2], [3], [4]] : tensor<2x4x2x6x5xf32> into tensor<2x8x6x5xf32>
  %gb = fusion.broadcast %gamma dims = [1] : tensor<8xf32> -> tensor<2x8x6x5xf32>
  %bb = fusion.broadcast %beta dims = [1] : tensor<8xf32> -> tensor<2x8x6x5xf32>
  %ng = arith.mulf %n4, %gb : tensor<2x8x6x5xf32>
  %nb = arith.addf %ng, %bb : tensor<2x8x6x5xf32>
  %y = arith.truncf %nb : tensor<2x8x6x5xf32> to tensor<2x8x6x5xbf16>
  return %y, %r : tensor<2x8x6x5xbf16>, tensor<2x4xf32>
}

// Scale and shift vary over the batch and the columns only; so does a result.
func.func @adaptive(%x: tensor<3x5x72xf16>, %scale: tensor<3x1x72xf16>, %shift: tensor<3x72xf16>) -> (tensor<3x5x72xf16>, tensor<3x72xf32>) {
  %w = arith.extf %x : tensor<3x5x72xf16> to tensor<3x5x72xf32>
  %q = arith.mulf %w, %w : tensor<3x5x72xf32>
  %s = fusion.reduce add %q dims = [2] : tensor<3x5x72xf32> -> tensor<3x5xf32>
  %r = math.rsqrt %s : tensor<3x5xf32>
  %rb = fusion.broadcast %r dims = [0, 1] : tensor<3x5xf32> -> tensor<3x5x72xf32>
  %n = arith.mulf %w, %rb : tensor<3x5x72xf32>
  %sc = fusion.squeeze %scale dims = [1] : tensor<3x1x72xf16> -> tensor<3x72xf16>
  %scf = arith.extf %sc : tensor<3x72xf16> to tensor<3x72xf32>
  %one = arith.constant dense<1.0> : tensor<3x72xf32>
  %sc1 = arith.addf %scf, %one : tensor<3x72xf32>
  %scb = fusion.broadcast %sc1 dims = [0, 2] : tensor<3x72xf32> -> tensor<3x5x72xf32>
  %shf = arith.extf %shift : tensor<3x72xf16> to tensor<3x72xf32>
  %shb = fusion.broadcast %shf dims = [0, 2] : tensor<3x72xf32> -> tensor<3x5x72xf32>
  %a = arith.mulf %n, %scb : tensor<3x5x72xf32>
  %b = arith.addf %a, %shb : tensor<3x5x72xf32>
  %y = arith.truncf %b : tensor<3x5x72xf32> to tensor<3x5x72xf16>
  return %y, %sc1 : tensor<3x5x72xf16>, tensor<3x72xf32>
}

// sum_i x[n, i] * b[n, j].
func.func @two_columns(%x: tensor<9x300xf32>, %b: tensor<9x52xf32>) -> tensor<9x52xf32> {
  %s = fusion.reduce add %x dims = [1] : tensor<9x300xf32> -> tensor<9xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<9xf32> -> tensor<9x52xf32>
  %y = arith.mulf %sb, %b : tensor<9x52xf32>
  return %y : tensor<9x52xf32>
}

// Not the innermost loop: the first dimension is reduced, the second kept.
func.func @batch_statistics(%x: tensor<3x4x10xf32>) -> (tensor<4xf32>, tensor<3x4x10xf32>) {
  %s = fusion.reduce add %x dims = [0, 2] : tensor<3x4x10xf32> -> tensor<4xf32>
  %sb = fusion.broadcast %s dims = [1] : tensor<4xf32> -> tensor<3x4x10xf32>
  %y = arith.subf %x, %sb : tensor<3x4x10xf32>
  return %s, %y : tensor<4xf32>, tensor<3x4x10xf32>
}

func.func @one_row(%x: tensor<1x33xi8>) -> (tensor<1x33xi8>, tensor<1xi8>, tensor<1xi8>) {
  %s = fusion.reduce add %x dims = [1] : tensor<1x33xi8> -> tensor<1xi8>
  %m = fusion.reduce minsi %x dims = [1] : tensor<1x33xi8> -> tensor<1xi8>
  %sb = fusion.broadcast %s dims = [0] : tensor<1xi8> -> tensor<1x33xi8>
  %y = arith.xori %x, %sb : tensor<1x33xi8>
  return %y, %s, %m : tensor<1x33xi8>, tensor<1xi8>, tensor<1xi8>
}

func.func @one_column(%x: tensor<33x1xf64>, %g: tensor<1xf64>) -> tensor<33x1xf64> {
  %s = fusion.reduce add %x dims = [1] : tensor<33x1xf64> -> tensor<33xf64>
  %sb = fusion.broadcast %s dims = [0] : tensor<33xf64> -> tensor<33x1xf64>
  %gb = fusion.broadcast %g dims = [1] : tensor<1xf64> -> tensor<33x1xf64>
  %y = arith.mulf %sb, %gb : tensor<33x1xf64>
  return %y : tensor<33x1xf64>
}

func.func @masks(%x: tensor<21x40xi1>, %y: tensor<21x40xf32>) -> (tensor<21x40xi1>, tensor<21xi1>, tensor<21xf32>) {
  %any = fusion.reduce or %x dims = [1] : tensor<21x40xi1> -> tensor<21xi1>
  %anyb = fusion.broadcast %any dims = [0] : tensor<21xi1> -> tensor<21x40xi1>
  %z = arith.xori %x, %anyb : tensor<21x40xi1>
  %zero = arith.constant dense<0.0> : tensor<21x40xf32>
  %p = arith.select %z, %y, %zero : tensor<21x40xi1>, tensor<21x40xf32>
  %r = fusion.reduce maxnumf %p dims = [1] : tensor<21x40xf32> -> tensor<21xf32>
  return %z, %any, %r : tensor<21x40xi1>, tensor<21xi1>, tensor<21xf32>
}

func.func @row_sum_f64(%x: tensor<5x777xf64>, %y: tensor<5xf64>) -> tensor<5xf64> {
  %s = fusion.reduce add %x dims = [1] : tensor<5x777xf64> -> tensor<5xf64>
  %r = arith.mulf %s, %y : tensor<5xf64>
  return %r : tensor<5xf64>
}

func.func @scalar_param(%x: tensor<6x48xf32>, %w: tensor<48xf32>, %eps: f32) -> (tensor<6x48xf32>, tensor<f32>) {
  %ws = fusion.reduce maximumf %w dims = [0] : tensor<48xf32> -> tensor<f32>
  %wb = fusion.broadcast %ws dims = [] : tensor<f32> -> tensor<6x48xf32>
  %s = fusion.reduce add %x dims = [1] : tensor<6x48xf32> -> tensor<6xf32>
  %e = tensor.splat %eps : tensor<6xf32>
  %s2 = arith.addf %s, %e : tensor<6xf32>
  %sb = fusion.broadcast %s2 dims = [0] : tensor<6xf32> -> tensor<6x48xf32>
  %p = arith.mulf %x, %sb : tensor<6x48xf32>
  %y = arith.addf %p, %wb : tensor<6x48xf32>
  return %y, %ws : tensor<6x48xf32>, tensor<f32>
}

func.func @no_columns(%x: tensor<7x0xf32>) -> (tensor<7xf32>, tensor<7x0xf32>, tensor<7xf32>) {
  %s = fusion.reduce add %x dims = [1] : tensor<7x0xf32> -> tensor<7xf32>
  %m = fusion.reduce maximumf %x dims = [1] : tensor<7x0xf32> -> tensor<7xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<7xf32> -> tensor<7x0xf32>
  %y = arith.subf %x, %sb : tensor<7x0xf32>
  return %s, %y, %m : tensor<7xf32>, tensor<7x0xf32>, tensor<7xf32>
}

func.func @no_rows(%x: tensor<0x16xf32>) -> (tensor<0xf32>, tensor<0x16xf32>) {
  %s = fusion.reduce add %x dims = [1] : tensor<0x16xf32> -> tensor<0xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<0xf32> -> tensor<0x16xf32>
  %y = arith.subf %x, %sb : tensor<0x16xf32>
  return %s, %y : tensor<0xf32>, tensor<0x16xf32>
}

// Columns that do not follow one another in one tensor.
func.func @transposed(%x: tensor<5x24xf32>, %t: tensor<24x5xf32>) -> tensor<5x24xf32> {
  %u = fusion.transpose %t permutation = [1, 0] : tensor<24x5xf32> -> tensor<5x24xf32>
  %a = arith.addf %x, %u : tensor<5x24xf32>
  %s = fusion.reduce add %a dims = [1] : tensor<5x24xf32> -> tensor<5xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<5xf32> -> tensor<5x24xf32>
  %y = arith.mulf %a, %sb : tensor<5x24xf32>
  return %y : tensor<5x24xf32>
}

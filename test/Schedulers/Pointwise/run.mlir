// Values of pointwise kernels: whole runs and single points, loops that tensors
// lack, several results, every type.
// RUN: fusion-runner %s --function=loops --device=sim --verify | FileCheck %s --check-prefix=LOOPS
// RUN: fusion-runner %s --function=types --device=sim --verify | FileCheck %s --check-prefix=TYPES
// RUN: fusion-runner %s --function=scalars --device=sim --verify | FileCheck %s --check-prefix=SCALARS
// RUN: fusion-runner %s --function=moves --device=sim --verify | FileCheck %s --check-prefix=MOVES
// RUN: fusion-runner %s --function=rest --device=sim --verify | FileCheck %s --check-prefix=REST
// RUN: fusion-runner %s --function=empty --device=sim --verify --print-plan | FileCheck %s --check-prefix=EMPTY

// LOOPS-COUNT-9: passed
// LOOPS-NOT: FAILED
func.func @loops(%flat0: tensor<7x143xf32>, %flat1: tensor<7x143xf32>,
                 %x: tensor<5x48xf32>, %row: tensor<5xf32>, %column: tensor<48xf32>,
                 %odd: tensor<5x37xbf16>, %odd_row: tensor<5xf32>, %odd_column: tensor<37xbf16>,
                 %b: tensor<2x3x16xf32>, %scale: tensor<2x1x16xf32>)
    -> (tensor<7x143xf32>, tensor<7x143xf32>, tensor<5x48xf32>, tensor<5xf32>, tensor<48xf32>,
        tensor<5x37xf32>, tensor<5xf32>, tensor<37xbf16>, tensor<2x3x16xf32>) {
  // Contiguous, with a tail that no vector fills; two results.
  %s = arith.addf %flat0, %flat1 : tensor<7x143xf32>
  %d = arith.subf %flat0, %flat1 : tensor<7x143xf32>
  // A value of rows and one of columns; each is stored once beside the whole.
  %r2 = arith.mulf %row, %row : tensor<5xf32>
  %c2 = arith.negf %column : tensor<48xf32>
  %rb = fusion.broadcast %r2 dims = [0] : tensor<5xf32> -> tensor<5x48xf32>
  %cb = fusion.broadcast %c2 dims = [1] : tensor<48xf32> -> tensor<5x48xf32>
  %y0 = arith.addf %x, %rb : tensor<5x48xf32>
  %y = arith.mulf %y0, %cb : tensor<5x48xf32>
  // The same with an extent that no vector divides, and two element types.
  %or2 = arith.mulf %odd_row, %odd_row : tensor<5xf32>
  %oc2 = arith.negf %odd_column : tensor<37xbf16>
  %orb = fusion.broadcast %or2 dims = [0] : tensor<5xf32> -> tensor<5x37xf32>
  %ocb = fusion.broadcast %oc2 dims = [1] : tensor<37xbf16> -> tensor<5x37xbf16>
  %op = arith.mulf %odd, %ocb : tensor<5x37xbf16>
  %oe = arith.extf %op : tensor<5x37xbf16> to tensor<5x37xf32>
  %oy = arith.addf %oe, %orb : tensor<5x37xf32>
  // A tensor that lacks the middle loop.
  %sb = fusion.broadcast %scale dims = [0, 1, 2] : tensor<2x1x16xf32> -> tensor<2x3x16xf32>
  %bs = arith.mulf %b, %sb : tensor<2x3x16xf32>
  return %s, %d, %y, %r2, %c2, %oy, %or2, %oc2, %bs
      : tensor<7x143xf32>, tensor<7x143xf32>, tensor<5x48xf32>, tensor<5xf32>, tensor<48xf32>,
        tensor<5x37xf32>, tensor<5xf32>, tensor<37xbf16>, tensor<2x3x16xf32>
}

// TYPES-COUNT-10: passed
// TYPES-NOT: FAILED
func.func @types(%f16: tensor<133xf16>, %f64: tensor<133xf64>, %mask: tensor<3x41xi1>, %masked: tensor<3x41xbf16>,
                 %i8: tensor<131xi8>, %i16: tensor<131xi16>, %i32: tensor<131xi32>, %i64: tensor<131xi64>,
                 %wide: tensor<65xi8>, %double: tensor<65xf64>, %aligned: tensor<8x32xi1>, %kept: tensor<8x32xf16>)
    -> (tensor<133xf16>, tensor<133xf64>, tensor<3x41xbf16>, tensor<3x41xi1>, tensor<131xi8>, tensor<131xi16>,
        tensor<131xi32>, tensor<131xi64>, tensor<65xf64>, tensor<8x32xf16>) {
  %a = arith.mulf %f16, %f16 : tensor<133xf16>
  %b = arith.addf %f64, %f64 : tensor<133xf64>
  // An i1 is a byte in memory.
  %zero = arith.constant dense<0.0> : tensor<3x41xbf16>
  %c = arith.select %mask, %masked, %zero : tensor<3x41xi1>, tensor<3x41xbf16>
  %positive = arith.cmpf ogt, %masked, %zero : tensor<3x41xbf16>
  %both = arith.andi %positive, %mask : tensor<3x41xi1>
  %d = arith.addi %i8, %i8 : tensor<131xi8>
  %e = arith.muli %i16, %i16 : tensor<131xi16>
  %f = arith.subi %i32, %i32 : tensor<131xi32>
  %g = arith.xori %i64, %i64 : tensor<131xi64>
  // The widest tensor decides; the narrowest is accessed by four bytes at least.
  %h0 = arith.sitofp %wide : tensor<65xi8> to tensor<65xf64>
  %h = arith.addf %h0, %double : tensor<65xf64>
  %none = arith.constant dense<0.0> : tensor<8x32xf16>
  %k = arith.select %aligned, %kept, %none : tensor<8x32xi1>, tensor<8x32xf16>
  return %a, %b, %c, %both, %d, %e, %f, %g, %h, %k
      : tensor<133xf16>, tensor<133xf64>, tensor<3x41xbf16>, tensor<3x41xi1>, tensor<131xi8>, tensor<131xi16>,
        tensor<131xi32>, tensor<131xi64>, tensor<65xf64>, tensor<8x32xf16>
}

// Values of no loop: alone, beside others, from arguments and constants.
// SCALARS-COUNT-5: passed
// SCALARS-NOT: FAILED
func.func @scalars(%a: tensor<f32>, %b: tensor<1x1xf32>, %x: tensor<3x5xf32>, %s: f32)
    -> (tensor<f32>, tensor<1x1xf32>, tensor<3x5xf32>, tensor<1xf32>, tensor<6x4xf32>) {
  %y = arith.addf %a, %a : tensor<f32>
  %z = arith.mulf %b, %b : tensor<1x1xf32>
  %k = fusion.squeeze %z dims = [1] : tensor<1x1xf32> -> tensor<1xf32>
  %zb = fusion.broadcast %z dims = [0, 1] : tensor<1x1xf32> -> tensor<3x5xf32>
  %w = arith.divf %x, %zb : tensor<3x5xf32>
  %splat = tensor.splat %s : tensor<6x4xf32>
  %one = arith.constant dense<1.0> : tensor<6x4xf32>
  %filled = arith.addf %splat, %one : tensor<6x4xf32>
  return %y, %z, %w, %k, %filled
      : tensor<f32>, tensor<1x1xf32>, tensor<3x5xf32>, tensor<1xf32>, tensor<6x4xf32>
}

// Elements that only move: a transpose that keeps the innermost loop, one that
// does not, a reshape, and a broadcast of columns along new rows.
// MOVES-COUNT-4: passed
// MOVES-NOT: FAILED
func.func @moves(%heads: tensor<2x3x4x8xbf16>, %x: tensor<19x23xf32>, %y: tensor<6x5xf32>, %c: tensor<9xf32>)
    -> (tensor<2x4x3x8xbf16>, tensor<23x19xf32>, tensor<2x3x5xf32>, tensor<4x9xf32>) {
  %h = fusion.transpose %heads permutation = [0, 2, 1, 3] : tensor<2x3x4x8xbf16> -> tensor<2x4x3x8xbf16>
  %t = fusion.segment "pointwise" (%a = %x : tensor<19x23xf32>) -> (tensor<23x19xf32>) {
    %n = arith.negf %a : tensor<19x23xf32>
    %turned = fusion.transpose %n permutation = [1, 0] : tensor<19x23xf32> -> tensor<23x19xf32>
    fusion.yield %turned : tensor<23x19xf32>
  }
  %n = arith.negf %y : tensor<6x5xf32>
  %e = tensor.expand_shape %n [[0, 1], [2]] output_shape [2, 3, 5] : tensor<6x5xf32> into tensor<2x3x5xf32>
  %b = fusion.broadcast %c dims = [1] : tensor<9xf32> -> tensor<4x9xf32>
  return %h, %t, %e, %b : tensor<2x4x3x8xbf16>, tensor<23x19xf32>, tensor<2x3x5xf32>, tensor<4x9xf32>
}

// Nothing is launched for a result without elements.
// EMPTY: 0 launches
// EMPTY: passed
func.func @empty(%x: tensor<0x4xf32>) -> tensor<0x4xf32> {
  %y = arith.addf %x, %x : tensor<0x4xf32>
  return %y : tensor<0x4xf32>
}

// Points behind whole runs that fill the other blocks: the last block has no run.
// REST-COUNT-4: passed
// REST-NOT: FAILED
func.func @rest(%a: tensor<1025xf32>, %b: tensor<4099xf32>, %c: tensor<8193xbf16>, %d: tensor<1x65537xf32>)
    -> (tensor<1025xf32>, tensor<4099xf32>, tensor<8193xbf16>, tensor<1x65537xf32>) {
  %0 = math.absf %a : tensor<1025xf32>
  %1 = math.absf %b : tensor<4099xf32>
  %2 = math.absf %c : tensor<8193xbf16>
  %3 = math.absf %d : tensor<1x65537xf32>
  return %0, %1, %2, %3 : tensor<1025xf32>, tensor<4099xf32>, tensor<8193xbf16>, tensor<1x65537xf32>
}

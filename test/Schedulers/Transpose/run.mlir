// Values of transposes: whole and ragged tiles, every width of access, other
// loops around, operations before and after, other inputs and results.
// RUN: fusion-runner %s --function=shapes --device=sim --verify | FileCheck %s --check-prefix=SHAPES
// RUN: fusion-runner %s --function=programs --device=sim --verify | FileCheck %s --check-prefix=PROGRAMS
// RUN: fusion-runner %s --function=by_hand --device=sim --verify | FileCheck %s --check-prefix=HAND

// SHAPES-COUNT-6: passed
// SHAPES-NOT: FAILED
func.func @shapes(%whole: tensor<64x128xf32>, %odd: tensor<67x33xf32>, %narrow: tensor<3x130xbf16>,
                  %batch: tensor<3x20x36xf16>, %nchw: tensor<2x5x3x7xf32>, %double: tensor<18x34xf64>)
    -> (tensor<128x64xf32>, tensor<33x67xf32>, tensor<130x3xbf16>, tensor<3x36x20xf16>, tensor<2x3x7x5xf32>, tensor<34x18xf64>) {
  %a = fusion.transpose %whole permutation = [1, 0] : tensor<64x128xf32> -> tensor<128x64xf32>
  %b = fusion.transpose %odd permutation = [1, 0] : tensor<67x33xf32> -> tensor<33x67xf32>
  %c = fusion.transpose %narrow permutation = [1, 0] : tensor<3x130xbf16> -> tensor<130x3xbf16>
  %d = fusion.transpose %batch permutation = [0, 2, 1] : tensor<3x20x36xf16> -> tensor<3x36x20xf16>
  %e = fusion.transpose %nchw permutation = [0, 2, 3, 1] : tensor<2x5x3x7xf32> -> tensor<2x3x7x5xf32>
  %f = fusion.transpose %double permutation = [1, 0] : tensor<18x34xf64> -> tensor<34x18xf64>
  return %a, %b, %c, %d, %e, %f
      : tensor<128x64xf32>, tensor<33x67xf32>, tensor<130x3xbf16>, tensor<3x36x20xf16>, tensor<2x3x7x5xf32>, tensor<34x18xf64>
}

// PROGRAMS-COUNT-4: passed
// PROGRAMS-NOT: FAILED
func.func @programs(%x: tensor<40x24xbf16>, %mask: tensor<40x24xi1>, %y: tensor<24x40xf32>, %row: tensor<24xf32>,
                    %column: tensor<40xf32>, %bytes: tensor<36x20xi8>)
    -> (tensor<24x40xf32>, tensor<24x40xf32>, tensor<24xf32>, tensor<20x36xi8>) {
  // Two turned inputs of different types, one of them a mask; inputs that stand
  // as the results do, or vary over one loop; two results and one of rows.
  %zero = arith.constant dense<0.0> : tensor<40x24xbf16>
  %m = arith.select %mask, %x, %zero : tensor<40x24xi1>, tensor<40x24xbf16>
  %t = fusion.transpose %m permutation = [1, 0] : tensor<40x24xbf16> -> tensor<24x40xbf16>
  %e = arith.extf %t : tensor<24x40xbf16> to tensor<24x40xf32>
  %r = arith.mulf %row, %row : tensor<24xf32>
  %rb = fusion.broadcast %r dims = [0] : tensor<24xf32> -> tensor<24x40xf32>
  %cb = fusion.broadcast %column dims = [1] : tensor<40xf32> -> tensor<24x40xf32>
  %0 = arith.addf %e, %y : tensor<24x40xf32>
  %1 = arith.mulf %0, %rb : tensor<24x40xf32>
  %2 = arith.addf %1, %cb : tensor<24x40xf32>
  %3 = arith.addi %bytes, %bytes : tensor<36x20xi8>
  %4 = fusion.transpose %3 permutation = [1, 0] : tensor<36x20xi8> -> tensor<20x36xi8>
  return %1, %2, %r, %4 : tensor<24x40xf32>, tensor<24x40xf32>, tensor<24xf32>, tensor<20x36xi8>
}

// Fewer threads than squares, narrower accesses than could be.
// HAND: passed
func.func @by_hand(%x: tensor<64x36xf32>) -> tensor<36x64xf32> {
  %s = fusion.segment "transpose" schedule = #fusion.transpose<blocks = 1, threads = 64, tile = 64, width = 4, read_width = 2, write_width = 1, shared_bytes = 16384> (%a = %x : tensor<64x36xf32>) -> (tensor<36x64xf32>) {
    %t = fusion.transpose %a permutation = [1, 0] : tensor<64x36xf32> -> tensor<36x64xf32>
    fusion.yield %t : tensor<36x64xf32>
  }
  return %s : tensor<36x64xf32>
}

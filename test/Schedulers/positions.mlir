// Positions in the kernels of every kind: along rows and along columns, in tiles
// that cross rows, along a part of a loop, behind the totals of columns.
// RUN: fusion-runner %s --function=masks --device=sim --verify --print-plan | FileCheck %s --check-prefix=MASKS
// RUN: fusion-runner %s --function=transposed --device=sim --verify --print-plan | FileCheck %s --check-prefix=TRANSPOSED
// RUN: fusion-runner %s --function=column_sums --device=sim --verify --print-plan | FileCheck %s --check-prefix=COLUMNS
// RUN: fusion-runner %s --function=column_softmax --device=sim --verify --print-plan | FileCheck %s --check-prefix=PERSISTENT
// RUN: fusion-runner %s --function=total --device=sim --verify --print-plan | FileCheck %s --check-prefix=TOTAL
// RUN: fusion-runner %s --function=row_softmax --device=sim --verify --print-plan | FileCheck %s --check-prefix=ROWS
// RUN: fusion-runner %s --function=both_sums --device=sim --verify --print-plan | FileCheck %s --check-prefix=BOTH
// RUN: fusion-opt %s --fusion-segment --fusion-print-iteration-spaces -o /dev/null | FileCheck %s --check-prefix=SPACE
// RUN: fusion-opt %s --fusion-to-gpu | FileCheck %s --check-prefix=KERNEL

// Rows of 48 are whole tiles; tiles of rows of 37 cross to the next row.
// MASKS: segment 0: pointwise at
// MASKS-COUNT-6: passed
// MASKS-NOT: FAILED
// Positions of a loop of two keep both apart.
// SPACE: iteration spaces of @masks
// SPACE: loop 0: 5
// SPACE-NEXT: loop 1: 3
// One column of the tile after the other, as one vector, in the type of the mask.
// KERNEL: gpu.func @masks_{{[0-9]}}_points
// KERNEL: vector.broadcast %{{.*}} : i32 to vector<[[W:[248]]]xi32>
// KERNEL: arith.addi %{{.*}} : vector<[[W]]xi32>
func.func @masks(%x: tensor<7x48xf32>, %odd: tensor<7x37xf32>, %b: tensor<2x5x16xf32>, %t: tensor<5x3xf32>, %n: tensor<300xi32>)
    -> (tensor<7x48xf32>, tensor<7x37xf32>, tensor<2x5x16xf32>, tensor<5x3xf32>, tensor<300xi8>, tensor<300xi32>) {
  %zero48 = arith.constant dense<0.0> : tensor<7x48xf32>
  %r = fusion.iota : tensor<7xi32>
  %c = fusion.iota : tensor<48xi32>
  %rb = fusion.broadcast %r dims = [0] : tensor<7xi32> -> tensor<7x48xi32>
  %cb = fusion.broadcast %c dims = [1] : tensor<48xi32> -> tensor<7x48xi32>
  %below = arith.cmpi sle, %cb, %rb : tensor<7x48xi32>
  %y = arith.select %below, %x, %zero48 : tensor<7x48xi1>, tensor<7x48xf32>
  %zero37 = arith.constant dense<0.0> : tensor<7x37xf32>
  %oc = fusion.iota : tensor<37xi64>
  %or = fusion.iota : tensor<7xi64>
  %orb = fusion.broadcast %or dims = [0] : tensor<7xi64> -> tensor<7x37xi64>
  %ocb = fusion.broadcast %oc dims = [1] : tensor<37xi64> -> tensor<7x37xi64>
  %above = arith.cmpi sge, %ocb, %orb : tensor<7x37xi64>
  %z = arith.select %above, %odd, %zero37 : tensor<7x37xi1>, tensor<7x37xf32>
  // The middle loop.
  %m = fusion.iota : tensor<5xi32>
  %mf = arith.sitofp %m : tensor<5xi32> to tensor<5xf32>
  %mb = fusion.broadcast %mf dims = [1] : tensor<5xf32> -> tensor<2x5x16xf32>
  %u = arith.addf %b, %mb : tensor<2x5x16xf32>
  // Positions of a loop that another tensor has as two, in the other order.
  %flat = fusion.iota : tensor<15xi32>
  %grouped = tensor.expand_shape %flat [[0, 1]] output_shape [3, 5] : tensor<15xi32> into tensor<3x5xi32>
  %turned = fusion.transpose %grouped permutation = [1, 0] : tensor<3x5xi32> -> tensor<5x3xi32>
  %tf = arith.sitofp %turned : tensor<5x3xi32> to tensor<5x3xf32>
  %v = arith.mulf %t, %tf : tensor<5x3xf32>
  // Positions wrap around; and nothing but positions.
  %i8 = fusion.iota : tensor<300xi8>
  %low = arith.trunci %n : tensor<300xi32> to tensor<300xi8>
  %sum = arith.addi %i8, %low : tensor<300xi8>
  %i32 = fusion.iota : tensor<300xi32>
  return %y, %z, %u, %v, %sum, %i32
      : tensor<7x48xf32>, tensor<7x37xf32>, tensor<2x5x16xf32>, tensor<5x3xf32>, tensor<300xi8>, tensor<300xi32>
}

// TRANSPOSED: segment 0: transpose at
// TRANSPOSED: passed
func.func @transposed(%x: tensor<70x51xf32>) -> tensor<51x70xf32> {
  %segment = fusion.segment "transpose" (%a = %x : tensor<70x51xf32>) -> (tensor<51x70xf32>) {
    %t = fusion.transpose %a permutation = [1, 0] : tensor<70x51xf32> -> tensor<51x70xf32>
    %r = fusion.iota : tensor<51xi32>
    %c = fusion.iota : tensor<70xi32>
    %rb = fusion.broadcast %r dims = [0] : tensor<51xi32> -> tensor<51x70xi32>
    %cb = fusion.broadcast %c dims = [1] : tensor<70xi32> -> tensor<51x70xi32>
    %below = arith.cmpi sle, %cb, %rb : tensor<51x70xi32>
    %zero = arith.constant dense<0.0> : tensor<51x70xf32>
    %y = arith.select %below, %t, %zero : tensor<51x70xi1>, tensor<51x70xf32>
    fusion.yield %y : tensor<51x70xf32>
  }
  return %segment : tensor<51x70xf32>
}

// COLUMNS: segment 0: outer-reduction at
// COLUMNS: passed
func.func @column_sums(%x: tensor<97x40xf32>) -> tensor<40xf32> {
  %r = fusion.iota : tensor<97xi32>
  %c = fusion.iota : tensor<40xi32>
  %rb = fusion.broadcast %r dims = [0] : tensor<97xi32> -> tensor<97x40xi32>
  %cb = fusion.broadcast %c dims = [1] : tensor<40xi32> -> tensor<97x40xi32>
  %below = arith.cmpi sle, %cb, %rb : tensor<97x40xi32>
  %zero = arith.constant dense<0.0> : tensor<97x40xf32>
  %y = arith.select %below, %x, %zero : tensor<97x40xi1>, tensor<97x40xf32>
  %s = fusion.reduce add %y dims = [0] : tensor<97x40xf32> -> tensor<40xf32>
  // After the totals, too.
  %cf = arith.sitofp %c : tensor<40xi32> to tensor<40xf32>
  %z = arith.mulf %s, %cf : tensor<40xf32>
  return %z : tensor<40xf32>
}

// PERSISTENT: segment 0: outer-persistent at
// PERSISTENT: passed
func.func @column_softmax(%x: tensor<33x64xf32>) -> tensor<33x64xf32> {
  %r = fusion.iota : tensor<33xi32>
  %c = fusion.iota : tensor<64xi32>
  %rb = fusion.broadcast %r dims = [0] : tensor<33xi32> -> tensor<33x64xi32>
  %cb = fusion.broadcast %c dims = [1] : tensor<64xi32> -> tensor<33x64xi32>
  %below = arith.cmpi sle, %rb, %cb : tensor<33x64xi32>
  %low = arith.constant dense<0xFF800000> : tensor<33x64xf32>
  %y = arith.select %below, %x, %low : tensor<33x64xi1>, tensor<33x64xf32>
  %m = fusion.reduce maximumf %y dims = [0] : tensor<33x64xf32> -> tensor<64xf32>
  %mb = fusion.broadcast %m dims = [1] : tensor<64xf32> -> tensor<33x64xf32>
  %d = arith.subf %y, %mb : tensor<33x64xf32>
  %e = math.exp %d : tensor<33x64xf32>
  %s = fusion.reduce add %e dims = [0] : tensor<33x64xf32> -> tensor<64xf32>
  %sb = fusion.broadcast %s dims = [1] : tensor<64xf32> -> tensor<33x64xf32>
  %q = arith.divf %e, %sb : tensor<33x64xf32>
  return %q : tensor<33x64xf32>
}

// TOTAL: segment 0: full-reduction at
// TOTAL: passed
func.func @total(%x: tensor<61x67xf32>) -> tensor<f32> {
  %segment = fusion.segment "full-reduction" (%a = %x : tensor<61x67xf32>) -> (tensor<f32>) {
    %r = fusion.iota : tensor<61xi32>
    %c = fusion.iota : tensor<67xi32>
    %rb = fusion.broadcast %r dims = [0] : tensor<61xi32> -> tensor<61x67xi32>
    %cb = fusion.broadcast %c dims = [1] : tensor<67xi32> -> tensor<61x67xi32>
    %below = arith.cmpi sle, %cb, %rb : tensor<61x67xi32>
    %zero = arith.constant dense<0.0> : tensor<61x67xf32>
    %y = arith.select %below, %a, %zero : tensor<61x67xi1>, tensor<61x67xf32>
    %s = fusion.reduce add %y dims = [0, 1] : tensor<61x67xf32> -> tensor<f32>
    fusion.yield %s : tensor<f32>
  }
  return %segment : tensor<f32>
}

// ROWS: segment 0: inner-persistent at
// ROWS: passed
func.func @row_softmax(%x: tensor<9x77xf32>) -> tensor<9x77xf32> {
  %r = fusion.iota : tensor<9xi32>
  %c = fusion.iota : tensor<77xi32>
  %rb = fusion.broadcast %r dims = [0] : tensor<9xi32> -> tensor<9x77xi32>
  %cb = fusion.broadcast %c dims = [1] : tensor<77xi32> -> tensor<9x77xi32>
  %below = arith.cmpi sle, %cb, %rb : tensor<9x77xi32>
  %low = arith.constant dense<0xFF800000> : tensor<9x77xf32>
  %y = arith.select %below, %x, %low : tensor<9x77xi1>, tensor<9x77xf32>
  %m = fusion.reduce maximumf %y dims = [1] : tensor<9x77xf32> -> tensor<9xf32>
  %mb = fusion.broadcast %m dims = [0] : tensor<9xf32> -> tensor<9x77xf32>
  %d = arith.subf %y, %mb : tensor<9x77xf32>
  %e = math.exp %d : tensor<9x77xf32>
  %s = fusion.reduce add %e dims = [1] : tensor<9x77xf32> -> tensor<9xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<9xf32> -> tensor<9x77xf32>
  %q = arith.divf %e, %sb : tensor<9x77xf32>
  return %q : tensor<9x77xf32>
}

// BOTH: segment 0: inner-outer-persistent at
// BOTH-COUNT-3: passed
func.func @both_sums(%x: tensor<300x136xf32>) -> (tensor<300x136xf32>, tensor<300xf32>, tensor<136xf32>) {
  %r = fusion.iota : tensor<300xi32>
  %c = fusion.iota : tensor<136xi32>
  %rb = fusion.broadcast %r dims = [0] : tensor<300xi32> -> tensor<300x136xi32>
  %cb = fusion.broadcast %c dims = [1] : tensor<136xi32> -> tensor<300x136xi32>
  %below = arith.cmpi sle, %cb, %rb : tensor<300x136xi32>
  %zero = arith.constant dense<0.0> : tensor<300x136xf32>
  %y = arith.select %below, %x, %zero : tensor<300x136xi1>, tensor<300x136xf32>
  %s = fusion.reduce add %y dims = [1] : tensor<300x136xf32> -> tensor<300xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<300xf32> -> tensor<300x136xf32>
  %n = arith.mulf %y, %sb : tensor<300x136xf32>
  %k = fusion.reduce add %n dims = [0] : tensor<300x136xf32> -> tensor<136xf32>
  %cf = arith.sitofp %c : tensor<136xi32> to tensor<136xf32>
  %rf = arith.sitofp %r : tensor<300xi32> to tensor<300xf32>
  %p = arith.mulf %s, %rf : tensor<300xf32>
  // Behind the totals of the columns.
  %q = arith.addf %k, %cf : tensor<136xf32>
  return %n, %p, %q : tensor<300x136xf32>, tensor<300xf32>, tensor<136xf32>
}

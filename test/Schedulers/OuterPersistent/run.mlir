// Values of normalisations along columns: ragged rows and columns, several
// levels, loops around and between, results of every space.
// RUN: fusion-runner %s --function=norm --device=sim --verify | FileCheck %s --check-prefix=NORM
// RUN: fusion-runner %s --function=others --device=sim --verify | FileCheck %s --check-prefix=OTHERS
// RUN: fusion-runner %s --function=levels --device=sim --verify --print-plan | FileCheck %s --check-prefix=LEVELS
// RUN: fusion-runner %s --function=by_hand --device=sim --verify | FileCheck %s --check-prefix=HAND

// Mean, variance, application; the statistics are results too.
// NORM-COUNT-3: passed
// NORM-NOT: FAILED
func.func @norm(%x: tensor<77x40xbf16>, %scale: tensor<40xf32>) -> (tensor<77x40xbf16>, tensor<40xf32>, tensor<40xf32>) {
  %s = fusion.segment "outer-persistent" (%u = %x : tensor<77x40xbf16>, %w = %scale : tensor<40xf32>) -> (tensor<77x40xbf16>) {
    %e = arith.extf %u : tensor<77x40xbf16> to tensor<77x40xf32>
    %r = fusion.reduce maximumf %e dims = [0] : tensor<77x40xf32> -> tensor<40xf32>
    %rb = fusion.broadcast %r dims = [1] : tensor<40xf32> -> tensor<77x40xf32>
    %d = arith.subf %e, %rb : tensor<77x40xf32>
    %p = math.exp %d : tensor<77x40xf32>
    %z = fusion.reduce add %p dims = [0] : tensor<77x40xf32> -> tensor<40xf32>
    %q = arith.divf %w, %z : tensor<40xf32>
    %qb = fusion.broadcast %q dims = [1] : tensor<40xf32> -> tensor<77x40xf32>
    %y = arith.mulf %p, %qb : tensor<77x40xf32>
    %t = arith.truncf %y : tensor<77x40xf32> to tensor<77x40xbf16>
    fusion.yield %t : tensor<77x40xbf16>
  }
  %e = arith.extf %x : tensor<77x40xbf16> to tensor<77x40xf32>
  %n = arith.constant dense<0.0125> : tensor<40xf32>
  %sum = fusion.reduce add %e dims = [0] : tensor<77x40xf32> -> tensor<40xf32>
  %mean = arith.mulf %sum, %n : tensor<40xf32>
  %mb = fusion.broadcast %mean dims = [1] : tensor<40xf32> -> tensor<77x40xf32>
  %d = arith.subf %e, %mb : tensor<77x40xf32>
  %sq = arith.mulf %d, %d : tensor<77x40xf32>
  %var = fusion.reduce add %sq dims = [0] : tensor<77x40xf32> -> tensor<40xf32>
  return %s, %mean, %var : tensor<77x40xbf16>, tensor<40xf32>, tensor<40xf32>
}

// Kept loops outside the reduced one, with a total for each; an odd pitch.
// OTHERS-COUNT-2: passed
// OTHERS-NOT: FAILED
func.func @others(%x: tensor<3x21x16xf32>, %odd: tensor<19x37xf32>) -> (tensor<3x21x16xf32>, tensor<19x37xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<3x21x16xf32> -> tensor<3x16xf32>
  %rb = fusion.broadcast %r dims = [0, 2] : tensor<3x16xf32> -> tensor<3x21x16xf32>
  %y = arith.subf %x, %rb : tensor<3x21x16xf32>
  %o = fusion.reduce maximumf %odd dims = [0] : tensor<19x37xf32> -> tensor<37xf32>
  %ob = fusion.broadcast %o dims = [1] : tensor<37xf32> -> tensor<19x37xf32>
  %z = arith.subf %odd, %ob : tensor<19x37xf32>
  return %y, %z : tensor<3x21x16xf32>, tensor<19x37xf32>
}

// More columns than threads; rows that only some threads have.
// HAND: passed
// HAND-NOT: FAILED
func.func @by_hand(%x: tensor<13x72xf32>) -> tensor<13x72xf32> {
  %s = fusion.segment "outer-persistent" schedule = #fusion.outer_persistent<blocks = 2, threads = 32, lanes = 16, width = 4, rows = 7, shared_bytes = 768> (%u = %x : tensor<13x72xf32>) -> (tensor<13x72xf32>) {
    %r = fusion.reduce add %u dims = [0] : tensor<13x72xf32> -> tensor<72xf32>
    %rb = fusion.broadcast %r dims = [1] : tensor<72xf32> -> tensor<13x72xf32>
    %y = arith.subf %u, %rb : tensor<13x72xf32>
    fusion.yield %y : tensor<13x72xf32>
  }
  return %s : tensor<13x72xf32>
}

// The sums of the second level go where totals of the first were read.
// LEVELS: segment 0: outer-persistent at
// LEVELS-COUNT-3: passed
func.func @levels(%x: tensor<40x32xf32>) -> (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) {
  %s = fusion.reduce add %x dims = [0] : tensor<40x32xf32> -> tensor<32xf32>
  %m = fusion.reduce maximumf %x dims = [0] : tensor<40x32xf32> -> tensor<32xf32>
  %sb = fusion.broadcast %s dims = [1] : tensor<32xf32> -> tensor<40x32xf32>
  %d = arith.subf %x, %sb : tensor<40x32xf32>
  %q = arith.mulf %d, %d : tensor<40x32xf32>
  %v = fusion.reduce add %q dims = [0] : tensor<40x32xf32> -> tensor<32xf32>
  return %s, %m, %v : tensor<32xf32>, tensor<32xf32>, tensor<32xf32>
}

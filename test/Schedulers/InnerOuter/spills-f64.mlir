// Values of 64 bits: what three column reductions add waits in pairs of registers.
// No chosen schedule spills.

// REQUIRES: ptxas
// RUN: fusion-opt %s --fusion-to-ptx="chip=sm_90 verify-with-ptxas" -o %t

func.func @long_rows(%x: tensor<500x16384xf64>, %w: tensor<16384xf64>) -> (tensor<500x16384xf64>, tensor<500xf64>, tensor<16384xf64>, tensor<16384xf64>, tensor<16384xf64>) {
  %max = fusion.reduce maximumf %x dims = [1] : tensor<500x16384xf64> -> tensor<500xf64>
  %max_b = fusion.broadcast %max dims = [0] : tensor<500xf64> -> tensor<500x16384xf64>
  %d = arith.subf %x, %max_b : tensor<500x16384xf64>
  %e = math.exp %d : tensor<500x16384xf64>
  %sum = fusion.reduce add %e dims = [1] : tensor<500x16384xf64> -> tensor<500xf64>
  %sum_b = fusion.broadcast %sum dims = [0] : tensor<500xf64> -> tensor<500x16384xf64>
  %p = arith.divf %e, %sum_b : tensor<500x16384xf64>
  %w_b = fusion.broadcast %w dims = [1] : tensor<16384xf64> -> tensor<500x16384xf64>
  %y = arith.mulf %p, %w_b : tensor<500x16384xf64>
  %r = fusion.reduce add %y dims = [1] : tensor<500x16384xf64> -> tensor<500xf64>
  %c0 = fusion.reduce add %y dims = [0] : tensor<500x16384xf64> -> tensor<16384xf64>
  %c1 = fusion.reduce maximumf %p dims = [0] : tensor<500x16384xf64> -> tensor<16384xf64>
  %c2 = fusion.reduce minimumf %x dims = [0] : tensor<500x16384xf64> -> tensor<16384xf64>
  return %y, %r, %c0, %c1, %c2 : tensor<500x16384xf64>, tensor<500xf64>, tensor<16384xf64>, tensor<16384xf64>, tensor<16384xf64>
}

func.func @few_rows(%x: tensor<33x12288xf64>, %w: tensor<12288xf64>) -> (tensor<33x12288xf64>, tensor<33xf64>, tensor<12288xf64>, tensor<12288xf64>, tensor<12288xf64>) {
  %max = fusion.reduce maximumf %x dims = [1] : tensor<33x12288xf64> -> tensor<33xf64>
  %max_b = fusion.broadcast %max dims = [0] : tensor<33xf64> -> tensor<33x12288xf64>
  %d = arith.subf %x, %max_b : tensor<33x12288xf64>
  %e = math.sqrt %d : tensor<33x12288xf64>
  %sum = fusion.reduce add %e dims = [1] : tensor<33x12288xf64> -> tensor<33xf64>
  %sum_b = fusion.broadcast %sum dims = [0] : tensor<33xf64> -> tensor<33x12288xf64>
  %p = arith.divf %e, %sum_b : tensor<33x12288xf64>
  %w_b = fusion.broadcast %w dims = [1] : tensor<12288xf64> -> tensor<33x12288xf64>
  %y = arith.mulf %p, %w_b : tensor<33x12288xf64>
  %r = fusion.reduce add %y dims = [1] : tensor<33x12288xf64> -> tensor<33xf64>
  %c0 = fusion.reduce add %y dims = [0] : tensor<33x12288xf64> -> tensor<12288xf64>
  %c1 = fusion.reduce maximumf %p dims = [0] : tensor<33x12288xf64> -> tensor<12288xf64>
  %c2 = fusion.reduce minimumf %x dims = [0] : tensor<33x12288xf64> -> tensor<12288xf64>
  return %y, %r, %c0, %c1, %c2 : tensor<33x12288xf64>, tensor<33xf64>, tensor<12288xf64>, tensor<12288xf64>, tensor<12288xf64>
}

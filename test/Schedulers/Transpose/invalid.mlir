// Schedules written by hand that do not fit.
// RUN: fusion-opt %s --fusion-lower-segments -split-input-file -verify-diagnostics

func.func @blocks(%x: tensor<64x128xf32>) -> tensor<128x64xf32> {
  // expected-error@+1 {{expected a schedule with 2 blocks of 64 by 64 elements, but got 4}}
  %s = fusion.segment "transpose" schedule = #fusion.transpose<blocks = 4, threads = 256, tile = 64, width = 4, read_width = 4, write_width = 4, shared_bytes = 16384> (%a = %x : tensor<64x128xf32>) -> (tensor<128x64xf32>) {
    %t = fusion.transpose %a permutation = [1, 0] : tensor<64x128xf32> -> tensor<128x64xf32>
    fusion.yield %t : tensor<128x64xf32>
  }
  return %s : tensor<128x64xf32>
}

// -----

func.func @widths(%x: tensor<66x127xf32>) -> tensor<127x66xf32> {
  // expected-error@+1 {{expected a schedule with read_width and write_width that divide the extents of their loops, at most 1 and 2, but got 2 and 2}}
  %s = fusion.segment "transpose" schedule = #fusion.transpose<blocks = 4, threads = 256, tile = 64, width = 4, read_width = 2, write_width = 2, shared_bytes = 16384> (%a = %x : tensor<66x127xf32>) -> (tensor<127x66xf32>) {
    %t = fusion.transpose %a permutation = [1, 0] : tensor<66x127xf32> -> tensor<127x66xf32>
    fusion.yield %t : tensor<127x66xf32>
  }
  return %s : tensor<127x66xf32>
}

// -----

func.func @shared(%x: tensor<64x128xf32>) -> tensor<128x64xf32> {
  // expected-error@+1 {{expected a schedule with shared_bytes of at least 16384 and at most 232448 on h200, but got 16383}}
  %s = fusion.segment "transpose" schedule = #fusion.transpose<blocks = 2, threads = 256, tile = 64, width = 4, read_width = 4, write_width = 4, shared_bytes = 16383> (%a = %x : tensor<64x128xf32>) -> (tensor<128x64xf32>) {
    %t = fusion.transpose %a permutation = [1, 0] : tensor<64x128xf32> -> tensor<128x64xf32>
    fusion.yield %t : tensor<128x64xf32>
  }
  return %s : tensor<128x64xf32>
}

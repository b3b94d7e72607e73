// Schedules written by hand that do not fit.
// RUN: fusion-opt %s --fusion-lower-segments -split-input-file -verify-diagnostics

func.func @width(%x: tensor<64x36xf32>) -> tensor<36xf32> {
  // expected-error@+1 {{expected a schedule with a width that divides the 36 columns, of at most 64 bytes, but got 8}}
  %s = fusion.segment "outer-reduction" schedule = #fusion.outer_reduction<blocks = 1, threads = 32, lanes = 8, width = 8, unroll = 1, splits = 1, finish = plain, finish_blocks = 0, finish_threads = 0, shared_bytes = 1024> (%a = %x : tensor<64x36xf32>) -> (tensor<36xf32>) {
    %r = fusion.reduce add %a dims = [0] : tensor<64x36xf32> -> tensor<36xf32>
    fusion.yield %r : tensor<36xf32>
  }
  return %s : tensor<36xf32>
}

// -----

func.func @blocks(%x: tensor<64x36xf32>) -> tensor<36xf32> {
  // expected-error@+1 {{expected a schedule with 4 blocks, 2 for each strip of 32 of the 36 columns, but got 2}}
  %s = fusion.segment "outer-reduction" schedule = #fusion.outer_reduction<blocks = 2, threads = 32, lanes = 8, width = 4, unroll = 1, splits = 2, finish = plain, finish_blocks = 2, finish_threads = 32, shared_bytes = 512> (%a = %x : tensor<64x36xf32>) -> (tensor<36xf32>) {
    %r = fusion.reduce add %a dims = [0] : tensor<64x36xf32> -> tensor<36xf32>
    fusion.yield %r : tensor<36xf32>
  }
  return %s : tensor<36xf32>
}

// -----

func.func @finish_blocks(%x: tensor<64x36xf32>) -> tensor<36xf32> {
  // expected-error@+1 {{expected a schedule with 2 finish_blocks of 32 columns, but got 1}}
  %s = fusion.segment "outer-reduction" schedule = #fusion.outer_reduction<blocks = 4, threads = 32, lanes = 8, width = 4, unroll = 1, splits = 2, finish = plain, finish_blocks = 1, finish_threads = 32, shared_bytes = 512> (%a = %x : tensor<64x36xf32>) -> (tensor<36xf32>) {
    %r = fusion.reduce add %a dims = [0] : tensor<64x36xf32> -> tensor<36xf32>
    fusion.yield %r : tensor<36xf32>
  }
  return %s : tensor<36xf32>
}

// -----

func.func @shared(%x: tensor<64x36xf32>) -> tensor<36xf32> {
  // expected-error@+1 {{expected a schedule with shared_bytes of at least 512 and at most 232448 on h200, but got 511}}
  %s = fusion.segment "outer-reduction" schedule = #fusion.outer_reduction<blocks = 2, threads = 32, lanes = 8, width = 4, unroll = 1, splits = 1, finish = plain, finish_blocks = 0, finish_threads = 0, shared_bytes = 511> (%a = %x : tensor<64x36xf32>) -> (tensor<36xf32>) {
    %r = fusion.reduce add %a dims = [0] : tensor<64x36xf32> -> tensor<36xf32>
    fusion.yield %r : tensor<36xf32>
  }
  return %s : tensor<36xf32>
}

// -----

func.func @grid_barrier(%x: tensor<64x36xf32>) -> tensor<36xf32> {
  // expected-error@+1 {{expected a schedule with finish = plain or dependent, but got grid_barrier}}
  %s = fusion.segment "outer-reduction" schedule = #fusion.outer_reduction<blocks = 4, threads = 32, lanes = 8, width = 4, unroll = 1, splits = 2, finish = grid_barrier, finish_blocks = 2, finish_threads = 32, shared_bytes = 512> (%a = %x : tensor<64x36xf32>) -> (tensor<36xf32>) {
    %r = fusion.reduce add %a dims = [0] : tensor<64x36xf32> -> tensor<36xf32>
    fusion.yield %r : tensor<36xf32>
  }
  return %s : tensor<36xf32>
}

// -----

// Splits have partial results for each column: how many there are is not known.
func.func @split_dynamic_columns(%x: tensor<?x64x32xf32>) -> tensor<?x32xf32> {
  // expected-error@+1 {{expected a schedule with one split, since only the launch knows the number of columns, but got 2}}
  %s = fusion.segment "outer-reduction" schedule = #fusion.outer_reduction<blocks = 8192, threads = 32, lanes = 8, width = 4, unroll = 1, splits = 2, finish = plain, finish_blocks = 4096, finish_threads = 32, shared_bytes = 512> (%a = %x : tensor<?x64x32xf32>) -> (tensor<?x32xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<?x64x32xf32> -> tensor<?x32xf32>
    fusion.yield %r : tensor<?x32xf32>
  }
  return %s : tensor<?x32xf32>
}

// Schedules written by hand that do not fit.
// RUN: fusion-opt %s --fusion-lower-segments -split-input-file -verify-diagnostics

func.func @blocks(%x: tensor<5x300xf32>) -> tensor<5xf32> {
  // expected-error@+1 {{expected a schedule with 15 blocks, 3 for each of 5 rows, but got 12}}
  %s = fusion.segment "full-reduction" schedule = #fusion.split_reduction<blocks = 12, threads = 64, width = 2, vectors = 1, splits = 3, finish = plain, finish_blocks = 3, finish_threads = 64> (%a = %x : tensor<5x300xf32>) -> (tensor<5xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<5x300xf32> -> tensor<5xf32>
    fusion.yield %r : tensor<5xf32>
  }
  return %s : tensor<5xf32>
}

// -----

func.func @finish_blocks(%x: tensor<5x300xf32>) -> tensor<5xf32> {
  // expected-error@+1 {{expected a schedule with finish_blocks of 2 rows that cover 5, but got 2}}
  %s = fusion.segment "full-reduction" schedule = #fusion.split_reduction<blocks = 15, threads = 64, width = 2, vectors = 1, splits = 3, finish = plain, finish_blocks = 2, finish_threads = 64> (%a = %x : tensor<5x300xf32>) -> (tensor<5xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<5x300xf32> -> tensor<5xf32>
    fusion.yield %r : tensor<5xf32>
  }
  return %s : tensor<5xf32>
}

// -----

func.func @width(%x: tensor<5x300xf32>) -> tensor<5xf32> {
  // expected-error@+1 {{expected a schedule with a width of at most 64 bytes, but got 32}}
  %s = fusion.segment "full-reduction" schedule = #fusion.split_reduction<blocks = 5, threads = 64, width = 32, vectors = 1, splits = 1, finish = plain, finish_blocks = 0, finish_threads = 0> (%a = %x : tensor<5x300xf32>) -> (tensor<5xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<5x300xf32> -> tensor<5xf32>
    fusion.yield %r : tensor<5xf32>
  }
  return %s : tensor<5xf32>
}

// -----

func.func @grid_barrier(%x: tensor<5x300xf32>) -> tensor<5xf32> {
  // expected-error@+1 {{expected a schedule with finish = plain or dependent, but got grid_barrier}}
  %s = fusion.segment "full-reduction" schedule = #fusion.split_reduction<blocks = 10, threads = 64, width = 2, vectors = 1, splits = 2, finish = grid_barrier, finish_blocks = 5, finish_threads = 32> (%a = %x : tensor<5x300xf32>) -> (tensor<5xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<5x300xf32> -> tensor<5xf32>
    fusion.yield %r : tensor<5xf32>
  }
  return %s : tensor<5xf32>
}

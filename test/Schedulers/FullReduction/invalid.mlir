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

// -----

// Splits have partial results for each row: how many there are is not known.
func.func @split_dynamic_rows(%x: tensor<?x64xf32>) -> tensor<?xf32> {
  // expected-error@+1 {{expected a schedule with one split, since only the launch knows the number of rows, but got 2}}
  %s = fusion.segment "full-reduction" schedule = #fusion.split_reduction<blocks = 8192, threads = 32, width = 1, vectors = 1, splits = 2, finish = plain, finish_blocks = 4096, finish_threads = 32> (%a = %x : tensor<?x64xf32>) -> (tensor<?xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<?x64xf32> -> tensor<?xf32>
    fusion.yield %r : tensor<?xf32>
  }
  return %s : tensor<?xf32>
}

// -----

func.func @wide_dynamic_columns(%x: tensor<?x6xf32>) -> tensor<f32> {
  // expected-error@+1 {{expected a schedule with a width that divides the 6 columns for each one of the dynamic extent, but got 4}}
  %s = fusion.segment "full-reduction" schedule = #fusion.split_reduction<blocks = 1, threads = 32, width = 4, vectors = 1, splits = 1, finish = plain, finish_blocks = 0, finish_threads = 0> (%a = %x : tensor<?x6xf32>) -> (tensor<f32>) {
    %r = fusion.reduce add %a dims = [0, 1] : tensor<?x6xf32> -> tensor<f32>
    fusion.yield %r : tensor<f32>
  }
  return %s : tensor<f32>
}

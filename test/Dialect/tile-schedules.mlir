// Schedules of kernels over tiles: they print as they are read; every way in
// which one can be wrong.
// RUN: fusion-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK: #fusion.pointwise<blocks = 32768, threads = 256, width = 8, vectors = 1>
// CHECK: #fusion.transpose<blocks = 4096, threads = 256, tile = 128, width = 8, read_width = 8, write_width = 4, shared_bytes = 32768>
// CHECK: #fusion.outer_reduction<blocks = 512, threads = 256, lanes = 64, width = 8, unroll = 8, splits = 64, finish = dependent, finish_blocks = 128, finish_threads = 256, shared_bytes = 8192>
// CHECK: #fusion.split_reduction<blocks = 528, threads = 512, width = 8, vectors = 4, splits = 528, finish = grid_barrier, finish_blocks = 1, finish_threads = 32>
// CHECK: #fusion.outer_persistent<blocks = 128, threads = 512, lanes = 8, width = 4, rows = 8, shared_bytes = 8192>
module attributes {
  test.pointwise = #fusion.pointwise<blocks = 32768, threads = 256, width = 8, vectors = 1>,
  test.transpose = #fusion.transpose<blocks = 4096, threads = 256, tile = 128, width = 8, read_width = 8, write_width = 4, shared_bytes = 32768>,
  test.zouter = #fusion.outer_reduction<blocks = 512, threads = 256, lanes = 64, width = 8, unroll = 8, splits = 64, finish = dependent, finish_blocks = 128, finish_threads = 256, shared_bytes = 8192>,
  test.zsplit = #fusion.split_reduction<blocks = 528, threads = 512, width = 8, vectors = 4, splits = 528, finish = grid_barrier, finish_blocks = 1, finish_threads = 32>,
  test.zzpersistent = #fusion.outer_persistent<blocks = 128, threads = 512, lanes = 8, width = 4, rows = 8, shared_bytes = 8192>
} {}

// -----

// expected-error@+1 {{expected counts in [0, 2147483647], but got 4294967295}}
#negative = #fusion.pointwise<blocks = -1, threads = 256, width = 8, vectors = 1>

// -----

// expected-error@+1 {{expected threads to be a positive multiple of 32, but got 48}}
#threads = #fusion.pointwise<blocks = 1, threads = 48, width = 8, vectors = 1>

// -----

// expected-error@+1 {{expected width to be a power of two, but got 3}}
#width = #fusion.pointwise<blocks = 1, threads = 32, width = 3, vectors = 1>

// -----

// expected-error@+1 {{expected a positive count of vectors}}
#vectors = #fusion.pointwise<blocks = 1, threads = 32, width = 4, vectors = 0>

// -----

// expected-error@+1 {{expected read_width and write_width of at most width, but got 8, 4 and 4}}
#read_width = #fusion.transpose<blocks = 1, threads = 256, tile = 64, width = 4, read_width = 8, write_width = 4, shared_bytes = 1>

// -----

// expected-error@+1 {{expected tile to be a power of two of at least 8 widths, but got 16 for a width of 4}}
#tile = #fusion.transpose<blocks = 1, threads = 256, tile = 16, width = 4, read_width = 4, write_width = 4, shared_bytes = 1>

// -----

// expected-error@+1 {{expected threads to divide the 256 squares of a tile, but got 96}}
#squares = #fusion.transpose<blocks = 1, threads = 96, tile = 64, width = 4, read_width = 4, write_width = 4, shared_bytes = 1>

// -----

// expected-error@+1 {{expected lanes to be a power of two that divides threads, but got 48 and 96}}
#lanes = #fusion.outer_reduction<blocks = 1, threads = 96, lanes = 48, width = 8, unroll = 8, splits = 1, finish = plain, finish_blocks = 0, finish_threads = 0, shared_bytes = 0>

// -----

// expected-error@+1 {{expected a positive count of unroll}}
#unroll = #fusion.outer_reduction<blocks = 1, threads = 96, lanes = 32, width = 8, unroll = 0, splits = 1, finish = plain, finish_blocks = 0, finish_threads = 0, shared_bytes = 0>

// -----

// expected-error@+1 {{expected splits to divide blocks, but got 3 and 4}}
#splits = #fusion.outer_reduction<blocks = 4, threads = 96, lanes = 32, width = 8, unroll = 1, splits = 3, finish = plain, finish_blocks = 1, finish_threads = 32, shared_bytes = 0>

// -----

// expected-error@+1 {{expected finish_blocks for several splits only, but got 1 for 1}}
#finish = #fusion.split_reduction<blocks = 4, threads = 96, width = 8, vectors = 1, splits = 1, finish = plain, finish_blocks = 1, finish_threads = 32>

// -----

// expected-error@+1 {{expected finish_threads to be a positive multiple of 32, but got 0}}
#finish_threads = #fusion.split_reduction<blocks = 4, threads = 96, width = 8, vectors = 1, splits = 2, finish = plain, finish_blocks = 1, finish_threads = 0>

// -----

// expected-error@+1 {{expected a positive count of rows}}
#rows = #fusion.outer_persistent<blocks = 1, threads = 32, lanes = 8, width = 8, rows = 0, shared_bytes = 0>

// Schedules written by hand that cannot work.
// RUN: fusion-opt %s --fusion-lower-segments -split-input-file -verify-diagnostics

func.func @blocks(%x: tensor<33x64xf32>) -> tensor<33xf32> {
  // expected-error@+1 {{expected a schedule with 5 blocks for 33 rows, 8 a block, but got 4}}
  %s = fusion.segment "inner-reduction" schedule = #fusion.rows<kind = inner_reduction, blocks = 4, threads = 128, groups = 8, rows = 1, width = 4, vectors = 1, traversal = resident, occupancy = 1, shared_bytes = 0>
      (%a = %x : tensor<33x64xf32>) -> (tensor<33xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<33x64xf32> -> tensor<33xf32>
    fusion.yield %r : tensor<33xf32>
  }
  return %s : tensor<33xf32>
}

// -----

func.func @width_divides(%x: tensor<4x66xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a schedule with a width that divides the 66 columns, but got 4}}
  %s = fusion.segment "inner-reduction" schedule = #fusion.rows<kind = inner_reduction, blocks = 4, threads = 32, groups = 1, rows = 1, width = 4, vectors = 1, traversal = resident, occupancy = 1, shared_bytes = 0>
      (%a = %x : tensor<4x66xf32>) -> (tensor<4xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4x66xf32> -> tensor<4xf32>
    fusion.yield %r : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}

// -----

func.func @width_bytes(%x: tensor<4x64xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a schedule with a width of at most 16 bytes of the narrowest tensor, but got 8}}
  %s = fusion.segment "inner-reduction" schedule = #fusion.rows<kind = inner_reduction, blocks = 4, threads = 32, groups = 1, rows = 1, width = 8, vectors = 1, traversal = resident, occupancy = 1, shared_bytes = 0>
      (%a = %x : tensor<4x64xf32>) -> (tensor<4xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4x64xf32> -> tensor<4xf32>
    fusion.yield %r : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}

// -----

func.func @vectors(%x: tensor<4x512xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a schedule with the 4 vectors that a thread has of a resident row, but got 3}}
  %s = fusion.segment "inner-reduction" schedule = #fusion.rows<kind = inner_reduction, blocks = 4, threads = 32, groups = 1, rows = 1, width = 4, vectors = 3, traversal = resident, occupancy = 1, shared_bytes = 0>
      (%a = %x : tensor<4x512xf32>) -> (tensor<4xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4x512xf32> -> tensor<4xf32>
    fusion.yield %r : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}

// -----

func.func @looped_vectors(%x: tensor<4x512xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a schedule with at most 4 vectors of a step, but got 5}}
  %s = fusion.segment "inner-reduction" schedule = #fusion.rows<kind = inner_reduction, blocks = 4, threads = 32, groups = 1, rows = 1, width = 4, vectors = 5, traversal = looped, occupancy = 1, shared_bytes = 0>
      (%a = %x : tensor<4x512xf32>) -> (tensor<4xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4x512xf32> -> tensor<4xf32>
    fusion.yield %r : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}

// -----

func.func @occupancy(%x: tensor<4x512xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a schedule with an occupancy of at most 16 blocks of 128 threads on h200, but got 17}}
  %s = fusion.segment "inner-reduction" schedule = #fusion.rows<kind = inner_reduction, blocks = 4, threads = 128, groups = 1, rows = 1, width = 4, vectors = 1, traversal = resident, occupancy = 17, shared_bytes = 16>
      (%a = %x : tensor<4x512xf32>) -> (tensor<4xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4x512xf32> -> tensor<4xf32>
    fusion.yield %r : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}

// -----

func.func @shared(%x: tensor<4x512xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a schedule with shared_bytes of at least 16 and at most 232448 on h200, but got 0}}
  %s = fusion.segment "inner-reduction" schedule = #fusion.rows<kind = inner_reduction, blocks = 4, threads = 128, groups = 1, rows = 1, width = 4, vectors = 1, traversal = resident, occupancy = 1, shared_bytes = 0>
      (%a = %x : tensor<4x512xf32>) -> (tensor<4xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4x512xf32> -> tensor<4xf32>
    fusion.yield %r : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}

// -----

func.func @too_many_elements(%x: tensor<4x65536xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a schedule with at most 1020 elements of its rows in each thread, but got 1 rows of 512 vectors of 4}}
  %s = fusion.segment "inner-reduction" schedule = #fusion.rows<kind = inner_reduction, blocks = 4, threads = 32, groups = 1, rows = 1, width = 4, vectors = 512, traversal = resident, occupancy = 1, shared_bytes = 0>
      (%a = %x : tensor<4x65536xf32>) -> (tensor<4xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4x65536xf32> -> tensor<4xf32>
    fusion.yield %r : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}

// -----

func.func @cluster(%x: tensor<4x4096xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a schedule with clusters of at most 16 blocks on h200, but got 32}}
  %s = fusion.segment "inner-reduction" schedule = #fusion.rows<kind = inner_reduction, blocks = 128, cluster = 32, threads = 32, groups = 1, rows = 1, width = 4, vectors = 1, traversal = resident, occupancy = 1, shared_bytes = 144>
      (%a = %x : tensor<4x4096xf32>) -> (tensor<4xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4x4096xf32> -> tensor<4xf32>
    fusion.yield %r : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}

// -----

func.func @cluster_blocks(%x: tensor<4x4096xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a schedule with 8 blocks for 4 rows, 1 a cluster, but got 4}}
  %s = fusion.segment "inner-reduction" schedule = #fusion.rows<kind = inner_reduction, blocks = 4, cluster = 2, threads = 128, groups = 1, rows = 1, width = 4, vectors = 4, traversal = resident, occupancy = 1, shared_bytes = 64>
      (%a = %x : tensor<4x4096xf32>) -> (tensor<4xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4x4096xf32> -> tensor<4xf32>
    fusion.yield %r : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}

// -----

// A tile of 4 columns has 4 of the first part, then 2 of it and 2 of the next.
func.func @width_of_parts(%x: tensor<2x6x6xf32>) -> (tensor<2x6xf32>, tensor<2xf32>) {
  // expected-error@+1 {{expected a schedule with a width that divides the 6 columns of a reduction, or that they divide, but got 4}}
  %s:2 = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 2, threads = 32, groups = 1, rows = 1, width = 4, vectors = 1, traversal = resident, occupancy = 1, shared_bytes = 0>
      (%a = %x : tensor<2x6x6xf32>) -> (tensor<2x6xf32>, tensor<2xf32>) {
    %r = fusion.reduce add %a dims = [1, 2] : tensor<2x6x6xf32> -> tensor<2xf32>
    %b = fusion.broadcast %r dims = [0] : tensor<2xf32> -> tensor<2x6x6xf32>
    %y = arith.mulf %a, %b : tensor<2x6x6xf32>
    %m = fusion.reduce maximumf %y dims = [2] : tensor<2x6x6xf32> -> tensor<2x6xf32>
    fusion.yield %m, %r : tensor<2x6xf32>, tensor<2xf32>
  }
  return %s#0, %s#1 : tensor<2x6xf32>, tensor<2xf32>
}

// -----

// A row has fewer lanes than a part of it needs.
func.func @lanes_of_parts(%x: tensor<2x2x32xf32>) -> (tensor<2x2xf32>, tensor<2xf32>) {
  // expected-error@+1 {{expected a schedule with a power of two of at most 32 lanes for the 32 columns of a reduction, that divides the 4 threads of a row, but got 8}}
  %s:2 = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 1, threads = 32, groups = 8, rows = 1, width = 4, vectors = 4, traversal = resident, occupancy = 1, shared_bytes = 0>
      (%a = %x : tensor<2x2x32xf32>) -> (tensor<2x2xf32>, tensor<2xf32>) {
    %r = fusion.reduce add %a dims = [1, 2] : tensor<2x2x32xf32> -> tensor<2xf32>
    %b = fusion.broadcast %r dims = [0] : tensor<2xf32> -> tensor<2x2x32xf32>
    %y = arith.mulf %a, %b : tensor<2x2x32xf32>
    %m = fusion.reduce maximumf %y dims = [2] : tensor<2x2x32xf32> -> tensor<2x2xf32>
    fusion.yield %m, %r : tensor<2x2xf32>, tensor<2xf32>
  }
  return %s#0, %s#1 : tensor<2x2xf32>, tensor<2xf32>
}

// -----

// With tiles of 4 columns a warp has a part, with tiles of 2 it has not.
func.func @too_many_lanes(%x: tensor<2x8x128xf32>) -> (tensor<2x8xf32>, tensor<2xf32>) {
  // expected-error@+1 {{expected a schedule with a power of two of at most 32 lanes for the 128 columns of a reduction, that divides the 64 threads of a row, but got 64}}
  %s:2 = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 2, threads = 64, groups = 1, rows = 1, width = 2, vectors = 8, traversal = resident, occupancy = 1, shared_bytes = 64>
      (%a = %x : tensor<2x8x128xf32>) -> (tensor<2x8xf32>, tensor<2xf32>) {
    %r = fusion.reduce add %a dims = [1, 2] : tensor<2x8x128xf32> -> tensor<2xf32>
    %b = fusion.broadcast %r dims = [0] : tensor<2xf32> -> tensor<2x8x128xf32>
    %y = arith.mulf %a, %b : tensor<2x8x128xf32>
    %m = fusion.reduce maximumf %y dims = [2] : tensor<2x8x128xf32> -> tensor<2x8xf32>
    fusion.yield %m, %r : tensor<2x8xf32>, tensor<2xf32>
  }
  return %s#0, %s#1 : tensor<2x8xf32>, tensor<2xf32>
}

// -----

// 12 lanes share what they have through memory, which only resident rows do.
func.func @looped_slots(%x: tensor<2x32x48xf32>) -> (tensor<2x32xf32>, tensor<2xf32>) {
  // expected-error@+1 {{expected a schedule with resident rows of one block and a width of at most the 48 columns of a reduction, which pass through its memory}}
  %s:2 = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 2, threads = 32, groups = 1, rows = 1, width = 4, vectors = 1, traversal = looped, occupancy = 1, shared_bytes = 1024>
      (%a = %x : tensor<2x32x48xf32>) -> (tensor<2x32xf32>, tensor<2xf32>) {
    %r = fusion.reduce add %a dims = [1, 2] : tensor<2x32x48xf32> -> tensor<2xf32>
    %b = fusion.broadcast %r dims = [0] : tensor<2xf32> -> tensor<2x32x48xf32>
    %y = arith.mulf %a, %b : tensor<2x32x48xf32>
    %m = fusion.reduce maximumf %y dims = [2] : tensor<2x32x48xf32> -> tensor<2x32xf32>
    fusion.yield %m, %r : tensor<2x32xf32>, tensor<2xf32>
  }
  return %s#0, %s#1 : tensor<2x32xf32>, tensor<2xf32>
}

// -----

// So do blocks, of which one does not see the memory of the other.
func.func @cluster_slots(%x: tensor<2x32x48xf32>) -> (tensor<2x32xf32>, tensor<2xf32>) {
  // expected-error@+1 {{expected a schedule with resident rows of one block and a width of at most the 48 columns of a reduction, which pass through its memory}}
  %s:2 = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 4, cluster = 2, threads = 32, groups = 1, rows = 1, width = 4, vectors = 6, traversal = resident, occupancy = 1, shared_bytes = 1024>
      (%a = %x : tensor<2x32x48xf32>) -> (tensor<2x32xf32>, tensor<2xf32>) {
    %r = fusion.reduce add %a dims = [1, 2] : tensor<2x32x48xf32> -> tensor<2xf32>
    %b = fusion.broadcast %r dims = [0] : tensor<2xf32> -> tensor<2x32x48xf32>
    %y = arith.mulf %a, %b : tensor<2x32x48xf32>
    %m = fusion.reduce maximumf %y dims = [2] : tensor<2x32x48xf32> -> tensor<2x32xf32>
    fusion.yield %m, %r : tensor<2x32xf32>, tensor<2xf32>
  }
  return %s#0, %s#1 : tensor<2x32xf32>, tensor<2xf32>
}

// -----

// 96 slots of 4 lanes.
func.func @slot_bytes(%x: tensor<2x32x48xf32>) -> (tensor<2x32xf32>, tensor<2xf32>) {
  // expected-error@+1 {{expected a schedule with shared_bytes of at least 384 and at most 232448 on h200, but got 380}}
  %s:2 = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 2, threads = 32, groups = 1, rows = 1, width = 4, vectors = 12, traversal = resident, occupancy = 1, shared_bytes = 380>
      (%a = %x : tensor<2x32x48xf32>) -> (tensor<2x32xf32>, tensor<2xf32>) {
    %r = fusion.reduce add %a dims = [1, 2] : tensor<2x32x48xf32> -> tensor<2xf32>
    %b = fusion.broadcast %r dims = [0] : tensor<2xf32> -> tensor<2x32x48xf32>
    %y = arith.mulf %a, %b : tensor<2x32x48xf32>
    %m = fusion.reduce maximumf %y dims = [2] : tensor<2x32x48xf32> -> tensor<2x32xf32>
    fusion.yield %m, %r : tensor<2x32xf32>, tensor<2xf32>
  }
  return %s#0, %s#1 : tensor<2x32xf32>, tensor<2xf32>
}

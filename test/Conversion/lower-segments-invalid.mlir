// Segments and schedules written by hand that do not fit: one error each.
// RUN: fusion-opt %s --fusion-lower-segments -split-input-file -verify-diagnostics -o /dev/null

func.func @threads(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with at most 1024 threads, but got 2048}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 2048, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 64, shared_bytes = 0>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<128xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<128xf32>
}

// -----

func.func @blocks(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with blocks that are resident at once, at most 8448 on h200, but got 8449}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 8449, threads = 32, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 64, shared_bytes = 0>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<128xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<128xf32>
}

// -----

// Blocks that wait for one another, two of which find too little shared memory.
func.func @shared_memory_of_blocks(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with blocks that are resident at once, at most 132 on h200, but got 133}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 133, threads = 32, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 64, shared_bytes = 120000>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<128xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<128xf32>
}

// -----

func.func @stages(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with at most 64 stages, but got 65}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = async_copy, stages = 65, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 64, shared_bytes = 100000>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<128xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<128xf32>
}

// -----

// A huge count would make a kernel that never ends to be built.
func.func @useless_vectors(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with no vectors beyond the 128 columns of a block, but got 2}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 4, vectors = 2,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 64, shared_bytes = 0>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<128xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<128xf32>
}

// -----

func.func @per_thread(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with at most 1020 elements of its rows in each thread, but got 256 rows of 1 vectors of 4}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 256, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 64, shared_bytes = 0>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<128xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<128xf32>
}

// -----

func.func @rows_overflow(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with at most 1020 elements of its rows in each thread, but got 2147483647 rows of 1 vectors of 4}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 2147483647, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 64, shared_bytes = 0>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<128xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<128xf32>
}

// -----

func.func @width_divides(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with a width that divides the 128 columns, but got 256}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 256, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 64, shared_bytes = 0>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<128xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<128xf32>
}

// -----

func.func @width_bytes(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with a width of at most 16 bytes of the narrowest tensor, but got 8}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 8, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 64, shared_bytes = 0>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<128xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<128xf32>
}

// -----

func.func @too_few_vectors(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with threads, width and vectors that cover the 128 columns of a block, but they cover 64}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 2, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 64, shared_bytes = 0>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<128xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<128xf32>
}

// -----

func.func @async_tile(%x: tensor<64x128xbf16>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with tiles of 4, 8 or a multiple of 16 bytes for async_copy, but a tile has 1 elements of 'bf16'}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 1, vectors = 4,
      loader = async_copy, stages = 2, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 64, shared_bytes = 8192>
      (%a = %x : tensor<64x128xbf16>) -> (tensor<64xf32>, tensor<128xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xbf16> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x128xbf16> -> tensor<128xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<128xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<128xf32>
}

// -----

// Two stages of 128 columns of four bytes.
func.func @ring_bytes(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with shared_bytes of at least 1024 and at most 232448 on h200, but got 1008}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = async_copy, stages = 2, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 64, shared_bytes = 1008>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<128xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<128xf32>
}

// -----

// Four groups that meet in shared memory after the loop.
func.func @group_bytes(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with shared_bytes of at least 2048 and at most 232448 on h200, but got 0}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 128, groups = 4, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 64, shared_bytes = 0>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<128xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<128xf32>
}

// -----

func.func @device_bytes(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with shared_bytes of at least 0 and at most 232448 on h200, but got 232449}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 64, shared_bytes = 232449>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<128xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<128xf32>
}

// -----

func.func @finish_blocks(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with finish_blocks of 32 columns each that cover the 128 columns and at most 1024 finish_threads, but got 3 and 64}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 3, finish_threads = 64, shared_bytes = 0>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<128xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<128xf32>
}

// -----

// Column reductions need a finish.
func.func @no_finish(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with finish_blocks of 32 columns each that cover the 128 columns and at most 1024 finish_threads, but got 0 and 64}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 0, finish_threads = 64, shared_bytes = 0>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<128xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<128xf32>
}

// -----

func.func @finish_threads(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with finish_blocks of 32 columns each that cover the 128 columns and at most 1024 finish_threads, but got 4 and 2048}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 2048, shared_bytes = 0>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<128xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<128xf32>
}

// -----

// A scheduled segment whose body its scheduler does not accept.
func.func @not_accepted(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error@+1 {{'fusion.segment' op is not accepted by its scheduler: missing-reduction: expected a reduction along the rows or the columns}}
  %s = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 64, shared_bytes = 0>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64x128xf32>) {
    %y = arith.addf %a, %a : tensor<64x128xf32>
    fusion.yield %y : tensor<64x128xf32>
  }
  return %s : tensor<64x128xf32>
}

// -----

func.func @no_operations(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error@+1 {{'fusion.segment' op expected operations in the segment, but got none}}
  %s = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 64, shared_bytes = 0>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64x128xf32>) {
    fusion.yield %a : tensor<64x128xf32>
  }
  return %s : tensor<64x128xf32>
}

// -----

func.func @no_schedule(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error@+1 {{'fusion.segment' op expected a schedule}}
  %s = fusion.segment "inner-outer-persistent" (%a = %x : tensor<64x128xf32>) -> (tensor<64x128xf32>) {
    %y = arith.addf %a, %a : tensor<64x128xf32>
    fusion.yield %y : tensor<64x128xf32>
  }
  return %s : tensor<64x128xf32>
}

// -----

func.func @no_scheduler(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error@+1 {{'fusion.segment' op expected a registered scheduler, but got 'no-such-scheduler'}}
  %s = fusion.segment "no-such-scheduler" (%a = %x : tensor<64x128xf32>) -> (tensor<64x128xf32>) {
    %y = arith.addf %a, %a : tensor<64x128xf32>
    fusion.yield %y : tensor<64x128xf32>
  }
  return %s : tensor<64x128xf32>
}

// -----

func.func @outside(%x: tensor<64x128xf32>) -> tensor<64xf32> {
  // expected-error@+1 {{'fusion.reduce' op expected to be in a segment}}
  %r = fusion.reduce add %x dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

// A segment of a module in the module would be forgotten.
module {
  func.func @inner(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
    // expected-error@+1 {{'fusion.segment' op expected to be in a function of the outermost module, but it is in another module}}
    %s = fusion.segment "inner-outer-persistent" (%a = %x : tensor<64x128xf32>) -> (tensor<64x128xf32>) {
      %y = arith.addf %a, %a : tensor<64x128xf32>
      fusion.yield %y : tensor<64x128xf32>
    }
    return %s : tensor<64x128xf32>
  }
}
func.func @other() {
  return
}

// -----

// In the finish kernel each of these seven column reductions takes 8 bytes a
// thread, and only 48 KiB of shared memory can be of fixed size.
func.func @finish_threads(%x: tensor<64x128xf32>)
    -> (tensor<64xf32>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with finish_threads that share at most 49152 bytes, but 1024 share 57344}}
  %s:8 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 1024, shared_bytes = 0>
      (%a = %x : tensor<64x128xf32>)
      -> (tensor<64xf32>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %c0 = fusion.reduce add %a dims = [0] : tensor<64x128xf32> -> tensor<128xf64>
    %c1 = fusion.reduce mul %a dims = [0] : tensor<64x128xf32> -> tensor<128xf64>
    %c2 = fusion.reduce minimumf %a dims = [0] : tensor<64x128xf32> -> tensor<128xf64>
    %c3 = fusion.reduce maximumf %a dims = [0] : tensor<64x128xf32> -> tensor<128xf64>
    %c4 = fusion.reduce minnumf %a dims = [0] : tensor<64x128xf32> -> tensor<128xf64>
    %c5 = fusion.reduce maxnumf %a dims = [0] : tensor<64x128xf32> -> tensor<128xf64>
    %c6 = fusion.reduce add %a dims = [0] fastmath<contract> : tensor<64x128xf32> -> tensor<128xf64>
    fusion.yield %r, %c0, %c1, %c2, %c3, %c4, %c5, %c6
        : tensor<64xf32>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>
  }
  return %s#0, %s#1, %s#2, %s#3, %s#4, %s#5, %s#6, %s#7
      : tensor<64xf32>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>, tensor<128xf64>
}

// -----

// A thread's part of a tile is unrolled: its size is bounded.
func.func @unrolled(%x: tensor<33x257xf32>) -> (tensor<33xf32>, tensor<257xf32>) {
  // expected-error @below {{expected a schedule with at most 8192 operations for the rows and columns of a thread, but got}}
  %0:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<blocks = 2, threads = 32, groups = 32, rows = 2, width = 1, vectors = 257, loader = direct, stages = 1, keep = registers, params = registers, finish_blocks = 9, finish_threads = 256, shared_bytes = 65792> (%a = %x : tensor<33x257xf32>) -> (tensor<33xf32>, tensor<257xf32>) {
    %s = arith.mulf %a, %a : tensor<33x257xf32>
    %s1 = arith.mulf %s, %a : tensor<33x257xf32>
    %s2 = arith.mulf %s1, %a : tensor<33x257xf32>
    %s3 = arith.mulf %s2, %a : tensor<33x257xf32>
    %s4 = arith.mulf %s3, %a : tensor<33x257xf32>
    %s5 = arith.mulf %s4, %a : tensor<33x257xf32>
    %s6 = arith.mulf %s5, %a : tensor<33x257xf32>
    %s7 = arith.mulf %s6, %a : tensor<33x257xf32>
    %s8 = arith.mulf %s7, %a : tensor<33x257xf32>
    %s9 = arith.mulf %s8, %a : tensor<33x257xf32>
    %t0 = arith.addf %s9, %a : tensor<33x257xf32>
    %t1 = arith.addf %t0, %s : tensor<33x257xf32>
    %t2 = arith.addf %t1, %s1 : tensor<33x257xf32>
    %t3 = arith.addf %t2, %s2 : tensor<33x257xf32>
    %t4 = arith.addf %t3, %s3 : tensor<33x257xf32>
    %r = fusion.reduce add %t4 dims = [1] : tensor<33x257xf32> -> tensor<33xf32>
    %c = fusion.reduce add %t4 dims = [0] : tensor<33x257xf32> -> tensor<257xf32>
    fusion.yield %r, %c : tensor<33xf32>, tensor<257xf32>
  }
  return %0#0, %0#1 : tensor<33xf32>, tensor<257xf32>
}

// -----

func.func @cluster_blocks(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with clusters of at most 16 blocks on h200, but got 32}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 32, cluster = 32, threads = 32, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 32, shared_bytes = 4096>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<128xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<128xf32>
}

// -----

func.func @resident_clusters(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with clusters that are resident at once, at most 66 on h200, but got 67}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 134, cluster = 2, threads = 32, groups = 1, rows = 1, width = 2, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 4, finish_threads = 32, shared_bytes = 4096>
      (%a = %x : tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<128xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<128xf32>
}

// -----

func.func @last_block(%x: tensor<64x24xf32>) -> (tensor<64xf32>, tensor<24xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with columns for every block of a cluster, but 8 blocks of 4 columns leave the last one none of 24}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 8, cluster = 8, threads = 32, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 1, finish_threads = 32, shared_bytes = 4096>
      (%a = %x : tensor<64x24xf32>) -> (tensor<64xf32>, tensor<24xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x24xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x24xf32> -> tensor<24xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<24xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<24xf32>
}

// -----

func.func @bulk_pitch(%x: tensor<64x66xf32>) -> (tensor<64xf32>, tensor<66xf32>) {
  // expected-error@+1 {{'fusion.segment' op expected a schedule with rows of whole 16 bytes in every input for bulk_copy, but a row has 66 columns}}
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 2, vectors = 2,
      loader = bulk_copy, stages = 2, keep = registers, params = registers,
      finish_blocks = 3, finish_threads = 32, shared_bytes = 4096>
      (%a = %x : tensor<64x66xf32>) -> (tensor<64xf32>, tensor<66xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x66xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x66xf32> -> tensor<66xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<66xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<66xf32>
}

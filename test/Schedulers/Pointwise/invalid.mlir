// Schedules written by hand that do not fit.
// RUN: fusion-opt %s --fusion-lower-segments -split-input-file -verify-diagnostics

func.func @blocks(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  // expected-error@+1 {{expected a schedule with 2 blocks, which cover the 1000 points, but got 1}}
  %s = fusion.segment "pointwise" schedule = #fusion.pointwise<blocks = 1, threads = 256, width = 2, vectors = 1> (%a = %x : tensor<1000xf32>) -> (tensor<1000xf32>) {
    %y = arith.addf %a, %a : tensor<1000xf32>
    fusion.yield %y : tensor<1000xf32>
  }
  return %s : tensor<1000xf32>
}

// -----

func.func @width(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  // expected-error@+1 {{expected a schedule with a width of at most 16 bytes of the narrowest tensor, but got 8}}
  %s = fusion.segment "pointwise" schedule = #fusion.pointwise<blocks = 1, threads = 256, width = 8, vectors = 1> (%a = %x : tensor<1000xf32>) -> (tensor<1000xf32>) {
    %y = arith.addf %a, %a : tensor<1000xf32>
    fusion.yield %y : tensor<1000xf32>
  }
  return %s : tensor<1000xf32>
}

// -----

func.func @threads(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  // expected-error@+1 {{expected a schedule with at most 1024 threads, but got 2048}}
  %s = fusion.segment "pointwise" schedule = #fusion.pointwise<blocks = 1, threads = 2048, width = 1, vectors = 1> (%a = %x : tensor<1000xf32>) -> (tensor<1000xf32>) {
    %y = arith.addf %a, %a : tensor<1000xf32>
    fusion.yield %y : tensor<1000xf32>
  }
  return %s : tensor<1000xf32>
}

// -----

func.func @unrolled(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  // expected-error@+1 {{expected a schedule with at most 8192 operations for the points of a thread, but got 12000}}
  %s = fusion.segment "pointwise" schedule = #fusion.pointwise<blocks = 1, threads = 32, width = 4, vectors = 1000> (%a = %x : tensor<1000xf32>) -> (tensor<1000xf32>) {
    %y = arith.addf %a, %a : tensor<1000xf32>
    fusion.yield %y : tensor<1000xf32>
  }
  return %s : tensor<1000xf32>
}

// -----

func.func @another_attribute(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  // expected-error@+1 {{'fusion.segment' op}}
  %s = fusion.segment "pointwise" schedule = #fusion.transpose<blocks = 1, threads = 256, tile = 64, width = 4, read_width = 4, write_width = 4, shared_bytes = 16384> (%a = %x : tensor<1000xf32>) -> (tensor<1000xf32>) {
    %y = arith.addf %a, %a : tensor<1000xf32>
    fusion.yield %y : tensor<1000xf32>
  }
  return %s : tensor<1000xf32>
}

// Schedules written by hand that do not fit.
// RUN: fusion-opt %s --fusion-lower-segments -split-input-file -verify-diagnostics

func.func @rows(%x: tensor<13x72xf32>) -> tensor<13x72xf32> {
  // expected-error@+1 {{expected a schedule with 7 rows a thread, which cover the 13 rows, but got 6}}
  %s = fusion.segment "outer-persistent" schedule = #fusion.outer_persistent<blocks = 2, threads = 32, lanes = 16, width = 4, rows = 6, shared_bytes = 768> (%u = %x : tensor<13x72xf32>) -> (tensor<13x72xf32>) {
    %r = fusion.reduce add %u dims = [0] : tensor<13x72xf32> -> tensor<72xf32>
    %rb = fusion.broadcast %r dims = [1] : tensor<72xf32> -> tensor<13x72xf32>
    %y = arith.subf %u, %rb : tensor<13x72xf32>
    fusion.yield %y : tensor<13x72xf32>
  }
  return %s : tensor<13x72xf32>
}

// -----

func.func @blocks(%x: tensor<13x72xf32>) -> tensor<13x72xf32> {
  // expected-error@+1 {{expected a schedule with 2 blocks of 64 of the 72 columns, but got 1}}
  %s = fusion.segment "outer-persistent" schedule = #fusion.outer_persistent<blocks = 1, threads = 32, lanes = 16, width = 4, rows = 7, shared_bytes = 768> (%u = %x : tensor<13x72xf32>) -> (tensor<13x72xf32>) {
    %r = fusion.reduce add %u dims = [0] : tensor<13x72xf32> -> tensor<72xf32>
    %rb = fusion.broadcast %r dims = [1] : tensor<72xf32> -> tensor<13x72xf32>
    %y = arith.subf %u, %rb : tensor<13x72xf32>
    fusion.yield %y : tensor<13x72xf32>
  }
  return %s : tensor<13x72xf32>
}

// -----

func.func @shared(%x: tensor<13x72xf32>) -> tensor<13x72xf32> {
  // expected-error@+1 {{expected a schedule with shared_bytes of at least 768 and at most 232448 on h200, but got 767}}
  %s = fusion.segment "outer-persistent" schedule = #fusion.outer_persistent<blocks = 2, threads = 32, lanes = 16, width = 4, rows = 7, shared_bytes = 767> (%u = %x : tensor<13x72xf32>) -> (tensor<13x72xf32>) {
    %r = fusion.reduce add %u dims = [0] : tensor<13x72xf32> -> tensor<72xf32>
    %rb = fusion.broadcast %r dims = [1] : tensor<72xf32> -> tensor<13x72xf32>
    %y = arith.subf %u, %rb : tensor<13x72xf32>
    fusion.yield %y : tensor<13x72xf32>
  }
  return %s : tensor<13x72xf32>
}

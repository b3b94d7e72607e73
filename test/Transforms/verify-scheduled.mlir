// What holds after the schedule phase, and each way in which it may not.
// RUN: fusion-opt %s --fusion-verify-scheduled -split-input-file -verify-diagnostics -o /dev/null

func.func @holds(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 64, groups = 1, rows = 2, width = 2, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 1, finish_threads = 32, shared_bytes = 32>
      (%a = %x : tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
    fusion.yield %r, %c : tensor<4xf32>, tensor<8xf32>
  }
  return %s#0, %s#1 : tensor<4xf32>, tensor<8xf32>
}

// -----

func.func @no_schedule(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'fusion.segment' op expected a schedule}}
  %s = fusion.segment "inner-outer-persistent" (%a = %x : tensor<4x8xf32>) -> (tensor<4x8xf32>) {
    %y = arith.addf %a, %a : tensor<4x8xf32>
    fusion.yield %y : tensor<4x8xf32>
  }
  return %s : tensor<4x8xf32>
}

// -----

func.func @scheduler(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'fusion.segment' op expected a registered scheduler, but got 'no-such-scheduler'}}
  %s = fusion.segment "no-such-scheduler" (%a = %x : tensor<4x8xf32>) -> (tensor<4x8xf32>) {
    %y = arith.addf %a, %a : tensor<4x8xf32>
    fusion.yield %y : tensor<4x8xf32>
  }
  return %s : tensor<4x8xf32>
}

// Where there are no rows no block of a kernel of rows runs: what does not vary over
// them is written by another kernel.

// RUN: fusion-runner %s --function=sum_of_weights --device=sim --shape=0=0x129 --verify --print-plan | FileCheck %s
// RUN: fusion-runner %s --function=exponential_of_weights --device=sim --shape=0=0x129 --verify --print-plan | FileCheck %s
// RUN: fusion-runner %s --function=exponential_of_weights --device=sim --shape=0=3x129 --verify | FileCheck %s --check-prefix=ROWS
// RUN: not fusion-opt %s --fusion-schedule 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK: plan: 2 segments, 2 launches
// CHECK: result 0: passed
// CHECK: result 1: passed
// ROWS: result 0: passed
// ROWS: result 1: passed

func.func @sum_of_weights(%x: tensor<?x129xf32>, %k: tensor<129xf32>) -> (tensor<?xf32>, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x129xf32>
  %b = fusion.broadcast %k [%m] dims = [1] : tensor<129xf32> -> tensor<?x129xf32>
  %y = arith.mulf %x, %b : tensor<?x129xf32>
  %r = fusion.reduce add %y dims = [1] : tensor<?x129xf32> -> tensor<?xf32>
  %n = fusion.reduce add %k dims = [0] : tensor<129xf32> -> tensor<f32>
  return %r, %n : tensor<?xf32>, tensor<f32>
}

func.func @exponential_of_weights(%x: tensor<?x129xf32>, %k: tensor<129xf32>) -> (tensor<?x129xf32>, tensor<129xf32>) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x129xf32>
  %e = math.exp %k : tensor<129xf32>
  %b = fusion.broadcast %e [%m] dims = [1] : tensor<129xf32> -> tensor<?x129xf32>
  %y = arith.mulf %x, %b : tensor<?x129xf32>
  return %y, %e : tensor<?x129xf32>, tensor<129xf32>
}

// REFUSED: error: 'fusion.segment' op is not accepted by its scheduler
// REFUSED: note: pointwise: dynamic-extent: expected only results that vary over the loop whose extent is not known at compile time
func.func @one_kernel(%x: tensor<?x129xf32>, %k: tensor<129xf32>) -> (tensor<?x129xf32>, tensor<129xf32>) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x129xf32>
  %s:2 = fusion.segment "pointwise" (%a = %x : tensor<?x129xf32>, %w = %k : tensor<129xf32>, %rows = %m : index) -> (tensor<?x129xf32>, tensor<129xf32>) {
    %e = math.exp %w : tensor<129xf32>
    %b = fusion.broadcast %e [%rows] dims = [1] : tensor<129xf32> -> tensor<?x129xf32>
    %y = arith.mulf %a, %b : tensor<?x129xf32>
    fusion.yield %y, %e : tensor<?x129xf32>, tensor<129xf32>
  }
  return %s#0, %s#1 : tensor<?x129xf32>, tensor<129xf32>
}

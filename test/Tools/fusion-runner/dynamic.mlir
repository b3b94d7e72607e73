// A program whose extents are only known at run time is compiled for those of its
// arguments.
// RUN: fusion-runner %s --device=sim --verify --shape=0=13x64 --shape=1=64 --output-dir=%t | FileCheck %s
// RUN: fusion-runner %s --device=sim --verify --input=0=const:1 --shape=0=5x7 --shape=1=7 | FileCheck %s
// CHECK: result 0: passed
// CHECK: result 1: passed

// RUN: not fusion-runner %s --device=sim --shape=0=13x64 --shape=1=65 2>&1 | FileCheck %s --check-prefix=CONFLICT
// CONFLICT: dynamic.mlir:[[@LINE+5]]:35: error: expected dimension 0 of argument 1 to be 64 as elsewhere in the program, but got 65

// RUN: not fusion-runner %s --device=sim 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: error: argument 0:

func.func @f(%x: tensor<?x?xf32>, %w: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %b = fusion.broadcast %w [%m] dims = [1] : tensor<?xf32> -> tensor<?x?xf32>
  %y = arith.mulf %x, %b : tensor<?x?xf32>
  %r = fusion.reduce add %y dims = [1] : tensor<?x?xf32> -> tensor<?xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<?x?xf32> -> tensor<?xf32>
  return %r, %c : tensor<?xf32>, tensor<?xf32>
}

// The program itself has no operation on shapes.
// RUN: fusion-runner %s --device=sim --verify --shape=0=3x7 | FileCheck %s
// CHECK: result 0: passed

func.func @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = arith.mulf %x, %x : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

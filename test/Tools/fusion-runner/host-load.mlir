// A scalar that the host function reads from an argument, or from a total that a
// kernel computed.
// RUN: fusion-runner %s --function=select --device=sim --verify --input=0=const:0
// RUN: fusion-runner %s --function=select --device=sim --verify --input=0=const:1
// RUN: fusion-runner %s --function=element --device=sim --verify
// RUN: not fusion-runner %s --function=beyond --device=sim 2>&1 | FileCheck %s
// CHECK: error: expected an index of at least 0 and below 4 in dimension 1, but got 4

func.func @select(%c: tensor<i1>, %x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8xf32> {
  %0 = tensor.extract %c[] : tensor<i1>
  %1 = arith.select %0, %x, %y : tensor<8x16xf32>
  %2 = fusion.reduce add %1 dims = [1] : tensor<8x16xf32> -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

func.func @element(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c3 = arith.constant 3 : index
  %0 = fusion.reduce maximumf %x dims = [1] : tensor<8x16xf32> -> tensor<8xf32>
  %1 = tensor.extract %0[%c3] : tensor<8xf32>
  %2 = tensor.splat %1 : tensor<8x16xf32>
  %3 = arith.subf %x, %2 : tensor<8x16xf32>
  return %3 : tensor<8x16xf32>
}

func.func @beyond(%x: memref<2x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %0 = memref.load %x[%c0, %c4] : memref<2x4xf32>
  return %0 : f32
}

// RUN: fusion-opt %s --fusion-print-dim-classes -o /dev/null | FileCheck %s --check-prefix=CLASSES
// RUN: fusion-opt %s --fusion-print-iteration-spaces -o /dev/null | FileCheck %s --check-prefix=SPACES
// RUN: fusion-opt %s --fusion-segment="schedulers=inner-outer-persistent" --fusion-print-iteration-spaces -o /dev/null | FileCheck %s --check-prefix=SEGMENTS

// CLASSES: dimension classes of @symbolic_width
// CLASSES-NEXT: %arg0: [0, 1]
// CLASSES-NEXT: %arg1: [0]
// CLASSES-NEXT: %cst: [2, 3]
// CLASSES-NEXT: %0: [0, 4]
// CLASSES-NEXT: %1: [0]
// CLASSES-NEXT: %2: [0, 1]
// CLASSES-NEXT: %3: [0, 1]
// CLASSES-NEXT: %cast: [0, 1]
// CLASSES-NEXT: %4: [0, 1]
// CLASSES-NEXT: dimension classes of @groups
// CLASSES-NEXT: %arg0: [5, 6, 7]
// CLASSES-NEXT: %expanded: [5, 8, 9, 7]
// CLASSES-NEXT: %0: [5, 8]
// CLASSES-NEXT: dimension classes of @sums
// CLASSES-NEXT: %arg0: [10, 11]
// CLASSES-NEXT: %0: [10]
// CLASSES-NEXT: %1: [11]
// CLASSES-NEXT: class 0: extent 2048
// CLASSES-NEXT: class 1: extent 8192
// CLASSES-NEXT: class 2: extent 2048
// CLASSES-NEXT: class 3: extent 8192
// CLASSES-NEXT: class 4: extent 1
// CLASSES-NEXT: class 5: extent 2
// CLASSES-NEXT: class 6: extent 32, product of 8 x 9
// CLASSES-NEXT: class 7: extent 64
// CLASSES-NEXT: class 8: extent 8
// CLASSES-NEXT: class 9: extent 4
// CLASSES-NEXT: class 10: extent 16
// CLASSES-NEXT: class 11: extent 64

// SPACES: iteration spaces of @symbolic_width
// SPACES-NEXT: loop 0: 2048
// SPACES-NEXT: loop 1: 8192
// SPACES-NEXT: input 0: strides [1, 0]
// SPACES-NEXT: input 1: strides [8192, 1]
// SPACES-NEXT: input 2: strides [8192, 1]
// SPACES-NEXT: output 0: strides [8192, 1]
// SPACES-NEXT: output 1: strides [8192, 1]
// SPACES-NEXT: iteration spaces of @groups
// SPACES-NEXT: loop 0: 16
// SPACES-NEXT: loop 1: 256
// SPACES-NEXT: input 0: strides [256, 1]
// SPACES-NEXT: output 0: strides [1, 0]
// SPACES-NEXT: reduction 0: loops {1}, level 0
// SPACES-NEXT: iteration spaces of @sums
// SPACES-NEXT: loop 0: 16
// SPACES-NEXT: loop 1: 64
// SPACES-NEXT: input 0: strides [64, 1]
// SPACES-NEXT: output 0: strides [1, 0]
// SPACES-NEXT: output 1: strides [0, 1]
// SPACES-NEXT: reduction 0: loops {1}, level 0
// SPACES-NEXT: reduction 1: loops {0}, level 0

// Where there are segments, each has its own.
// SEGMENTS: iteration spaces of @sums
// SEGMENTS-NEXT: segment "inner-outer-persistent"
// SEGMENTS-NEXT: loop 0: 16
// SEGMENTS-NEXT: loop 1: 64

// A row scalar reaches a tensor of symbolic width through a constant of 8192
// columns: all of them are one loop.
func.func @symbolic_width(%x: tensor<2048x?xf32>, %sum: tensor<2048xf32>) -> tensor<2048x?xf32> {
  %k = arith.constant dense<0.0001220703125> : tensor<2048x8192xf32>
  %a = fusion.broadcast %sum dims = [0] : tensor<2048xf32> -> tensor<2048x1xf32>
  %s = fusion.squeeze %a dims = [1] : tensor<2048x1xf32> -> tensor<2048xf32>
  %b = fusion.broadcast %s dims = [0] : tensor<2048xf32> -> tensor<2048x8192xf32>
  %m = arith.mulf %k, %b : tensor<2048x8192xf32>
  %c = tensor.cast %m : tensor<2048x8192xf32> to tensor<2048x?xf32>
  %y = arith.addf %c, %x : tensor<2048x?xf32>
  return %y : tensor<2048x?xf32>
}

// Channels are groups of channels.
func.func @groups(%x: tensor<2x32x64xf32>) -> tensor<2x8xf32> {
  %e = tensor.expand_shape %x [[0], [1, 2], [3]] output_shape [2, 8, 4, 64] : tensor<2x32x64xf32> into tensor<2x8x4x64xf32>
  %s = fusion.reduce add %e dims = [2, 3] : tensor<2x8x4x64xf32> -> tensor<2x8xf32>
  return %s : tensor<2x8xf32>
}

func.func @sums(%x: tensor<16x64xf32>) -> (tensor<16xf32>, tensor<64xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<16x64xf32> -> tensor<16xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<16x64xf32> -> tensor<64xf32>
  return %r, %c : tensor<16xf32>, tensor<64xf32>
}

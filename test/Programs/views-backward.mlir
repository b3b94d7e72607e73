// RMS norm backward in the shapes of frameworks: x and dy are views of tensors of three
// dimensions, rstd of two, dx leaves as one of three. A view of what comes in or goes out
// is the same memory: dy and x are read and dx is written once, 3 (16384 4096 2) =
// 402653184 bytes; rstd 65536, w and dw 16384 each; 4325376 of workspace are written and
// read again by the finish: 402653184 + 65536 + 2 16384 + 4325376 = 407076864.
// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s
// RUN: sed -e 's/16384x4096/64x64/g' -e 's/8x2048x4096/8x8x64/g' -e 's/8x2048xf32/8x8xf32/g' %s > %t.1
// RUN: sed -e 's/<16384xf32/<64xf32/g' -e 's/<4096xf32/<64xf32/g' -e 's/8, 2048, 4096/8, 8, 64/' %t.1 > %t.mlir
// RUN: fusion-runner %t.mlir --function=views --device=sim --verify
// RUN: fusion-runner %t.mlir --function=own_memory --device=sim --verify

// CHECK-LABEL: plan of @views: 1 segment, 1 launch, 4 operations outside segments
// CHECK: moves 407076864 bytes, 0 of them between segments
func.func @views(%dy: tensor<8x2048x4096xbf16>, %x: tensor<8x2048x4096xbf16>, %rstd: tensor<8x2048xf32>, %w: tensor<4096xf32>) -> (tensor<8x2048x4096xbf16>, tensor<4096xf32>) {
  %dy2 = tensor.collapse_shape %dy [[0, 1], [2]] : tensor<8x2048x4096xbf16> into tensor<16384x4096xbf16>
  %x2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<8x2048x4096xbf16> into tensor<16384x4096xbf16>
  %rstd1 = tensor.collapse_shape %rstd [[0, 1]] : tensor<8x2048xf32> into tensor<16384xf32>
  %dyf = arith.extf %dy2 : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %xf = arith.extf %x2 : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %r = fusion.broadcast %rstd1 dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %xhat = arith.mulf %xf, %r fastmath<contract> : tensor<16384x4096xf32>
  %wb = fusion.broadcast %w dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>
  %g = arith.mulf %dyf, %wb fastmath<contract> : tensor<16384x4096xf32>
  %gx = arith.mulf %g, %xhat fastmath<contract> : tensor<16384x4096xf32>
  %s = fusion.reduce add %gx dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %scale = arith.constant dense<0.000244140625> : tensor<16384xf32>
  %c = arith.mulf %s, %scale fastmath<contract> : tensor<16384xf32>
  %cb = fusion.broadcast %c dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %xc = arith.mulf %xhat, %cb fastmath<contract> : tensor<16384x4096xf32>
  %d = arith.subf %g, %xc fastmath<contract> : tensor<16384x4096xf32>
  %dxf = arith.mulf %d, %r fastmath<contract> : tensor<16384x4096xf32>
  %dx = arith.truncf %dxf : tensor<16384x4096xf32> to tensor<16384x4096xbf16>
  %wx = arith.mulf %dyf, %xhat fastmath<contract> : tensor<16384x4096xf32>
  %dw = fusion.reduce add %wx dims = [0] : tensor<16384x4096xf32> -> tensor<4096xf32>
  %dx3 = tensor.expand_shape %dx [[0, 1], [2]] output_shape [8, 2048, 4096] : tensor<16384x4096xbf16> into tensor<8x2048x4096xbf16>
  return %dx3, %dw : tensor<8x2048x4096xbf16>, tensor<4096xf32>
}

// Every result has memory of its own: x in another shape is a copy, and so is the second
// shape of one result.
// CHECK-LABEL: plan of @own_memory:
// CHECK-NOT: outside segments: tensor
func.func @own_memory(%x: tensor<16384x4096xbf16>, %y: tensor<16384x4096xbf16>) -> (tensor<8x2048x4096xbf16>, tensor<16384x4096xbf16>, tensor<8x2048x4096xbf16>) {
  %view = tensor.expand_shape %x [[0, 1], [2]] output_shape [8, 2048, 4096] : tensor<16384x4096xbf16> into tensor<8x2048x4096xbf16>
  %z = arith.addf %y, %y : tensor<16384x4096xbf16>
  %zv = tensor.expand_shape %z [[0, 1], [2]] output_shape [8, 2048, 4096] : tensor<16384x4096xbf16> into tensor<8x2048x4096xbf16>
  return %view, %z, %zv : tensor<8x2048x4096xbf16>, tensor<16384x4096xbf16>, tensor<8x2048x4096xbf16>
}

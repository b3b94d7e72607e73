// The schedule of transposes, and what is no transpose.
// RUN: fusion-opt %s --fusion-segment="schedulers=transpose,pointwise" --fusion-schedule | FileCheck %s

// 256 bytes of a row: 128 elements of 2 bytes, 64 of 4.
// CHECK-LABEL: func @bf16
// CHECK: fusion.segment "transpose" schedule = #fusion.transpose<blocks = 4096, threads = 256, tile = 128, width = 8, read_width = 8, write_width = 8, shared_bytes = 32768>
func.func @bf16(%x: tensor<16384x4096xbf16>) -> tensor<4096x16384xbf16> {
  %t = fusion.transpose %x permutation = [1, 0] : tensor<16384x4096xbf16> -> tensor<4096x16384xbf16>
  return %t : tensor<4096x16384xbf16>
}

// CHECK-LABEL: func @f32
// CHECK: #fusion.transpose<blocks = 16384, threads = 256, tile = 64, width = 4, read_width = 4, write_width = 4, shared_bytes = 16384>
func.func @f32(%x: tensor<4096x16384xf32>) -> tensor<16384x4096xf32> {
  %t = fusion.transpose %x permutation = [1, 0] : tensor<4096x16384xf32> -> tensor<16384x4096xf32>
  return %t : tensor<16384x4096xf32>
}

// Extents that vectors do not divide: narrower accesses on that side.
// CHECK-LABEL: func @ragged
// CHECK: read_width = 2, write_width = 1,
func.func @ragged(%x: tensor<1001x514xbf16>) -> tensor<514x1001xbf16> {
  %t = fusion.transpose %x permutation = [1, 0] : tensor<1001x514xbf16> -> tensor<514x1001xbf16>
  return %t : tensor<514x1001xbf16>
}

// Eight inputs that turn: a smaller tile, so that they fit in shared memory.
// CHECK-LABEL: func @many
// CHECK: threads = 64, tile = 64, width = 8, read_width = 8, write_width = 8, shared_bytes = 65536>
func.func @many(%a: tensor<256x256xbf16>, %b: tensor<256x256xbf16>, %c: tensor<256x256xbf16>, %d: tensor<256x256xbf16>,
                %e: tensor<256x256xbf16>, %f: tensor<256x256xbf16>, %g: tensor<256x256xbf16>, %h: tensor<256x256xbf16>) -> tensor<256x256xbf16> {
  %0 = arith.addf %a, %b : tensor<256x256xbf16>
  %1 = arith.addf %c, %d : tensor<256x256xbf16>
  %2 = arith.addf %e, %f : tensor<256x256xbf16>
  %3 = arith.addf %g, %h : tensor<256x256xbf16>
  %4 = arith.addf %0, %1 : tensor<256x256xbf16>
  %5 = arith.addf %2, %3 : tensor<256x256xbf16>
  %6 = arith.addf %4, %5 : tensor<256x256xbf16>
  %t = fusion.transpose %6 permutation = [1, 0] : tensor<256x256xbf16> -> tensor<256x256xbf16>
  return %t : tensor<256x256xbf16>
}

// The innermost loop stays: no transpose.
// CHECK-LABEL: func @heads
// CHECK: fusion.segment "pointwise"
func.func @heads(%x: tensor<8x128x16x64xbf16>) -> tensor<8x16x128x64xbf16> {
  %t = fusion.transpose %x permutation = [0, 2, 1, 3] : tensor<8x128x16x64xbf16> -> tensor<8x16x128x64xbf16>
  return %t : tensor<8x16x128x64xbf16>
}

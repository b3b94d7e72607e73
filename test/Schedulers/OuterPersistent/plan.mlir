// The schedule of kernels that keep columns on chip.
// RUN: fusion-opt %s --fusion-segment=schedulers=outer-persistent --fusion-schedule | FileCheck %s

// CHECK-LABEL: func @columns
// CHECK: fusion.segment "outer-persistent" schedule = #fusion.outer_persistent<{{.*}}width = 8,
func.func @columns(%x: tensor<1024x4096xbf16>) -> tensor<1024x4096xbf16> {
  %r = fusion.reduce maximumf %x dims = [0] : tensor<1024x4096xbf16> -> tensor<4096xbf16>
  %b = fusion.broadcast %r dims = [1] : tensor<4096xbf16> -> tensor<1024x4096xbf16>
  %y = arith.subf %x, %b : tensor<1024x4096xbf16>
  return %y : tensor<1024x4096xbf16>
}

// CHECK-LABEL: func @empty
// CHECK: #fusion.outer_persistent<blocks = 0,
func.func @empty(%x: tensor<16x0xf32>) -> tensor<16x0xf32> {
  %r = fusion.reduce maximumf %x dims = [0] : tensor<16x0xf32> -> tensor<0xf32>
  %b = fusion.broadcast %r dims = [1] : tensor<0xf32> -> tensor<16x0xf32>
  %y = arith.subf %x, %b : tensor<16x0xf32>
  return %y : tensor<16x0xf32>
}

// The schedule of column sums follows the shape and the device.
// RUN: fusion-opt %s --fusion-segment=schedulers=outer-reduction --fusion-schedule | FileCheck %s
// RUN: fusion-opt %s --fusion-segment=schedulers=outer-reduction --fusion-schedule=plain-launches | FileCheck %s --check-prefix=PLAIN
// RUN: fusion-opt %s --fusion-segment="schedulers=outer-reduction chip=sm_80" --fusion-schedule=chip=sm_80 | FileCheck %s --check-prefix=PLAIN

// Few columns: blocks share the rows, and a second kernel follows closely.
// CHECK-LABEL: func @tall
// PLAIN-LABEL: func @tall
// CHECK: fusion.segment "outer-reduction" schedule = #fusion.outer_reduction<{{.*}}, threads = 256, {{.*}}width = 8, unroll = 8, splits = {{[1-9][0-9]+}}, finish = dependent, finish_blocks = 128, finish_threads = 256,
// PLAIN: finish = plain
func.func @tall(%x: tensor<16384x4096xbf16>) -> tensor<4096xf32> {
  %r = fusion.reduce add %x dims = [0] : tensor<16384x4096xbf16> -> tensor<4096xf32>
  return %r : tensor<4096xf32>
}

// Enough strips of columns for all multiprocessors: one launch.
// CHECK-LABEL: func @wide
// CHECK: width = 8, unroll = 8, splits = 1, finish = plain, finish_blocks = 0,
func.func @wide(%x: tensor<512x131072xbf16>) -> tensor<131072xf32> {
  %r = fusion.reduce add %x dims = [0] : tensor<512x131072xbf16> -> tensor<131072xf32>
  return %r : tensor<131072xf32>
}

// An odd pitch: single elements.
// CHECK-LABEL: func @odd
// CHECK: width = 1,
func.func @odd(%x: tensor<4096x1001xbf16>) -> tensor<1001xf32> {
  %r = fusion.reduce add %x dims = [0] : tensor<4096x1001xbf16> -> tensor<1001xf32>
  return %r : tensor<1001xf32>
}

// CHECK-LABEL: func @empty
// CHECK: #fusion.outer_reduction<blocks = 0,
func.func @empty(%x: tensor<16x0xf32>) -> tensor<0xf32> {
  %r = fusion.reduce add %x dims = [0] : tensor<16x0xf32> -> tensor<0xf32>
  return %r : tensor<0xf32>
}

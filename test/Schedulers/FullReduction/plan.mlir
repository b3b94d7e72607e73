// The schedule of full sums follows the shape and the device.
// RUN: fusion-opt %s --fusion-segment=schedulers=full-reduction --fusion-schedule | FileCheck %s
// RUN: fusion-opt %s --fusion-segment=schedulers=full-reduction --fusion-schedule=plain-launches | FileCheck %s --check-prefix=PLAIN

// All threads of all multiprocessors; the second kernel follows closely.
// CHECK-LABEL: func @everything
// PLAIN-LABEL: func @everything
// CHECK: fusion.segment "full-reduction" schedule = #fusion.split_reduction<{{.*}}width = 8, vectors = 4, splits = {{[1-9][0-9]+}}, finish = dependent, finish_blocks = 1, finish_threads = 32>
// PLAIN: finish = plain
func.func @everything(%x: tensor<16384x4096xbf16>) -> tensor<f32> {
  %r = fusion.reduce add %x dims = [0, 1] : tensor<16384x4096xbf16> -> tensor<f32>
  return %r : tensor<f32>
}

// Little work: one block, one launch.
// CHECK-LABEL: func @little
// CHECK: #fusion.split_reduction<blocks = 1, {{.*}}splits = 1, finish = plain, finish_blocks = 0, finish_threads = 0>
func.func @little(%x: tensor<100x10xf32>) -> tensor<f32> {
  %r = fusion.reduce add %x dims = [0, 1] : tensor<100x10xf32> -> tensor<f32>
  return %r : tensor<f32>
}

// Channels of images: each shared by some blocks.
// CHECK-LABEL: func @channels
// CHECK: splits = {{[2-9]|[1-9][0-9]}}, finish = dependent, finish_blocks = 8, finish_threads = 256>
func.func @channels(%x: tensor<32x64x56x56xbf16>) -> tensor<64xf32> {
  %r = fusion.reduce add %x dims = [0, 2, 3] : tensor<32x64x56x56xbf16> -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// CHECK-LABEL: func @empty
// CHECK: #fusion.split_reduction<blocks = 0,
func.func @empty(%x: tensor<0x16xf32>) -> tensor<0xf32> {
  %r = fusion.reduce add %x dims = [1] : tensor<0x16xf32> -> tensor<0xf32>
  return %r : tensor<0xf32>
}

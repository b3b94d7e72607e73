// The schedule follows the sizes, the element types and the device.
// RUN: fusion-opt %s --fusion-segment=schedulers=pointwise --fusion-schedule | FileCheck %s
// RUN: fusion-opt %s --fusion-segment=schedulers=pointwise --fusion-schedule --remarks-filter=fusion-schedule --remark-policy=all 2>&1 -o /dev/null | FileCheck %s --check-prefix=REMARK

// More than the L2 cache holds: one vector a thread, 2^26 / (256 * 8) blocks.
// CHECK-LABEL: func @large
// CHECK: fusion.segment "pointwise" schedule = #fusion.pointwise<blocks = 32768, threads = 256, width = 8, vectors = 1>
// Three tensors of 2^27 bytes.
// REMARK: bytes=402653184, microseconds=1.00{{.*}}e+02, registersPerThread={{.*}}, scheduler=pointwise, sharedBytes=0
func.func @large(%x: tensor<16384x4096xbf16>, %y: tensor<16384x4096xbf16>) -> tensor<16384x4096xbf16> {
  %s = arith.addf %x, %y : tensor<16384x4096xbf16>
  return %s : tensor<16384x4096xbf16>
}

// Less: four vectors, as long as every multiprocessor has a block.
// CHECK-LABEL: func @small
// CHECK: #fusion.pointwise<blocks = 512, threads = 256, width = 8, vectors = 4>
func.func @small(%x: tensor<1024x4096xbf16>, %y: tensor<1024x4096xbf16>) -> tensor<1024x4096xbf16> {
  %s = arith.addf %x, %y : tensor<1024x4096xbf16>
  return %s : tensor<1024x4096xbf16>
}

// CHECK-LABEL: func @smaller
// CHECK: #fusion.pointwise<blocks = 256, threads = 256, width = 4, vectors = 1>
func.func @smaller(%x: tensor<256x1024xf32>) -> tensor<256x1024xf32> {
  %s = arith.addf %x, %x : tensor<256x1024xf32>
  return %s : tensor<256x1024xf32>
}

// Inputs that would take too many registers.
// CHECK-LABEL: func @many_inputs
// CHECK: #fusion.pointwise<blocks = 2048, threads = 256, width = 8, vectors = 1>
func.func @many_inputs(%a: tensor<4194304xbf16>, %b: tensor<4194304xbf16>, %c: tensor<4194304xbf16>,
                       %d: tensor<4194304xbf16>, %e: tensor<4194304xbf16>) -> tensor<4194304xbf16> {
  %0 = arith.addf %a, %b : tensor<4194304xbf16>
  %1 = arith.addf %c, %d : tensor<4194304xbf16>
  %2 = arith.addf %0, %1 : tensor<4194304xbf16>
  %3 = arith.addf %2, %e : tensor<4194304xbf16>
  return %3 : tensor<4194304xbf16>
}

// 16 bytes of the widest tensor: all accesses of a warp are contiguous.
// CHECK-LABEL: func @mixed
// CHECK: width = 4,
func.func @mixed(%x: tensor<4096xbf16>) -> tensor<4096xf32> {
  %y = arith.extf %x : tensor<4096xbf16> to tensor<4096xf32>
  return %y : tensor<4096xf32>
}

// Fewer points than a block has threads, and a single one.
// CHECK-LABEL: func @tiny
// CHECK: #fusion.pointwise<blocks = 1, threads = 32, width = 4, vectors = 1>
func.func @tiny(%x: tensor<3x7xf32>) -> tensor<3x7xf32> {
  %s = arith.addf %x, %x : tensor<3x7xf32>
  return %s : tensor<3x7xf32>
}
// CHECK-LABEL: func @scalar
// CHECK: #fusion.pointwise<blocks = 1, threads = 32, width = 1, vectors = 1>
func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
  %s = arith.addf %x, %x : tensor<f32>
  return %s : tensor<f32>
}

// Nothing to launch.
// CHECK-LABEL: func @empty
// CHECK: #fusion.pointwise<blocks = 0,
func.func @empty(%x: tensor<0x7xf32>) -> tensor<0x7xf32> {
  %s = arith.addf %x, %x : tensor<0x7xf32>
  return %s : tensor<0x7xf32>
}

// The text of a transpose: whole vectors to and from shared memory, one barrier.
// RUN: fusion-opt %s --fusion-schedule --fusion-lower-segments -canonicalize -cse | FileCheck %s

// CHECK-LABEL: gpu.func @bf16_0_tiles(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<131072xbf16> {{{.*}}}, %[[Y:[a-z0-9]+]]: memref<131072xbf16>
// CHECK: gpu.dynamic_shared_memory
// CHECK: %[[S:.*]] = memref.view {{.*}} to memref<128x128xbf16, #gpu.address_space<workgroup>>
// CHECK-NOT: scf.if
// CHECK-COUNT-8: vector.load %[[X]]{{.*}} {alignment = 16 : i64} : memref<131072xbf16>, vector<8xbf16>
// CHECK: vector.from_elements {{.*}} : vector<8xbf16>
// CHECK: arith.xori
// CHECK-COUNT-8: vector.store %{{.*}}, %[[S]]{{.*}} {alignment = 16 : i64}
// CHECK: gpu.barrier
// CHECK: vector.load %[[S]]{{.*}} {alignment = 16 : i64}
// CHECK: vector.store %{{.*}}, %[[Y]]{{.*}} {alignment = 16 : i64}
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
// CHECK: gpu.launch_func @bf16_0::@bf16_0_tiles blocks in (%c8, %c1, %c1) threads in (%c256, %c1, %c1) dynamic_shared_memory_size %c32768_i32
func.func @bf16(%x: tensor<512x256xbf16>) -> tensor<256x512xbf16> {
  %s = fusion.segment "transpose" (%a = %x : tensor<512x256xbf16>) -> (tensor<256x512xbf16>) {
    %t = fusion.transpose %a permutation = [1, 0] : tensor<512x256xbf16> -> tensor<256x512xbf16>
    fusion.yield %t : tensor<256x512xbf16>
  }
  return %s : tensor<256x512xbf16>
}

// CHECK-LABEL: func.func @empty(
// CHECK-NOT: gpu.launch_func
func.func @empty(%x: tensor<0x256xbf16>) -> tensor<256x0xbf16> {
  %s = fusion.segment "transpose" (%a = %x : tensor<0x256xbf16>) -> (tensor<256x0xbf16>) {
    %t = fusion.transpose %a permutation = [1, 0] : tensor<0x256xbf16> -> tensor<256x0xbf16>
    fusion.yield %t : tensor<256x0xbf16>
  }
  return %s : tensor<256x0xbf16>
}

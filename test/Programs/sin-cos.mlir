// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// nvFuser 3829: siblings that share an input and nothing else are one kernel.
// 3 (4096 4096 4) = 201326592 bytes.
// CHECK-LABEL: plan of @sin_cos: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 201326592 bytes, 0 of them between segments
func.func @sin_cos(%x: tensor<4096x4096xf32>) -> (tensor<4096x4096xf32>, tensor<4096x4096xf32>) {
  %0 = math.sin %x : tensor<4096x4096xf32>
  %1 = math.cos %x : tensor<4096x4096xf32>
  return %0, %1 : tensor<4096x4096xf32>, tensor<4096x4096xf32>
}

// A third sibling with an input of its own joins them.
// 5 (4096 4096 4) = 335544320 bytes.
// CHECK-LABEL: plan of @sin_cos_of_two_shapes: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 335544320 bytes, 0 of them between segments
func.func @sin_cos_of_two_shapes(%x: tensor<4096x4096xf32>, %z: tensor<4096x4096xf32>) -> (tensor<4096x4096xf32>, tensor<4096x4096xf32>, tensor<4096x4096xf32>) {
  %0 = math.sin %x : tensor<4096x4096xf32>
  %1 = math.cos %x : tensor<4096x4096xf32>
  %2 = math.exp %x : tensor<4096x4096xf32>
  %3 = arith.addf %2, %z fastmath<contract> : tensor<4096x4096xf32>
  return %0, %1, %3 : tensor<4096x4096xf32>, tensor<4096x4096xf32>, tensor<4096x4096xf32>
}

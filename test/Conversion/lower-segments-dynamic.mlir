// A segment that reads a result of another takes extents from its own inputs:
// what stands for them once the other is lowered is a new value.
// RUN: fusion-opt %s --fusion-schedule --fusion-lower-segments | FileCheck %s
// RUN: fusion-runner %s --device=sim --verify --shape=0=3 --shape=1=5x64

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %{{.*}}: tensor<?xf32>, %[[X:.*]]: tensor<?x64xf32>)
// CHECK: %[[N:.+]] = memref.dim %{{.*}} : memref<?x64xf32>
// CHECK-NEXT: %[[Y:.+]] = memref.alloc(%[[N]]) : memref<?x64xf32>
// CHECK: %[[YT:.+]] = bufferization.to_tensor %[[Y]]
// CHECK: %[[YB:.+]] = bufferization.to_buffer %[[YT]]
// CHECK: %[[M:.+]] = memref.dim %[[YB]]
// CHECK-NEXT: memref.alloc(%[[M]]) : memref<?x64xf32>
func.func @f(%u: tensor<?xf32>, %x: tensor<?x64xf32>) -> (tensor<?xf32>, tensor<?x64xf32>) {
  %0 = fusion.segment "pointwise" (%a = %x : tensor<?x64xf32>) -> (tensor<?x64xf32>) {
    %3 = arith.negf %a : tensor<?x64xf32>
    fusion.yield %3 : tensor<?x64xf32>
  }
  %1 = fusion.segment "pointwise" (%a = %0 : tensor<?x64xf32>) -> (tensor<?x64xf32>) {
    %3 = math.absf %a : tensor<?x64xf32>
    fusion.yield %3 : tensor<?x64xf32>
  }
  %2 = fusion.segment "pointwise" (%a = %u : tensor<?xf32>) -> (tensor<?xf32>) {
    %3 = math.absf %a : tensor<?xf32>
    fusion.yield %3 : tensor<?xf32>
  }
  return %2, %1 : tensor<?xf32>, tensor<?x64xf32>
}

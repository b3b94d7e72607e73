// RUN: fusion-opt %s --fusion-print-plan -o /dev/null | FileCheck %s
// RUN: not fusion-opt %s --fusion-print-plan=device=abacus -o /dev/null 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: fusion-runner %s --function=f --device=sim --print-plan --json=%t.json | FileCheck %s --check-prefix=RUNNER
// RUN: FileCheck %s --check-prefix=JSON < %t.json

// DEVICE: error: {{.*}}abacus

// The sums of the columns of y are partial ones first; y and its sums go to
// another segment, y to the caller, too.
// CHECK: plan of @f: 2 segments, 3 launches, 1 operation outside segments
// CHECK-NEXT: segment 0: outer-reduction, 2 launches
// CHECK-NEXT: reads argument 0: tensor<512x64xf32>, 131072 bytes
// CHECK-NEXT: writes result 0: tensor<512x64xf32>, 131072 bytes, to segment 1, to the function
// CHECK-NEXT: writes result 1: tensor<64xf32>, 256 bytes, to segment 1
// CHECK-NEXT: moves [[#WORKSPACE:]] bytes of workspace and of what it reads again
// CHECK-NEXT: segment 1: pointwise, 1 launch
// CHECK-NEXT: reads segment 0 result 0: tensor<512x64xf32>, 131072 bytes
// CHECK-NEXT: reads segment 0 result 1: tensor<64xf32>, 256 bytes
// CHECK-NEXT: writes result 0: tensor<512x64xf32>, 131072 bytes, to tensor.cast
// CHECK-NEXT: outside segments: tensor.cast
// 4 tensors of 131072 bytes and 2 times 256 bytes; between the segments
// 2 (131072 + 256).
// CHECK-NEXT: moves [[#WORKSPACE + 524800]] bytes, 262656 of them between segments

// RUNNER: plan: 2 segments, 3 launches, 1 operations outside segments
// RUNNER: edge: segment 0 to segment 1, tensor<512x64xf32>, 131072 bytes
// RUNNER-NEXT: edge: segment 0 to segment 1, tensor<64xf32>, 256 bytes

// JSON: "edges": [
// JSON: "bytes": 131072
// JSON-NEXT: "from": 0
// JSON-NEXT: "to": [
// JSON-NEXT: 1
// JSON: "type": "tensor<512x64xf32>"
func.func @f(%x: tensor<512x64xf32>) -> (tensor<512x64xf32>, tensor<?x64xf32>) {
  %0:2 = fusion.segment "outer-reduction" (%a = %x : tensor<512x64xf32>) -> (tensor<512x64xf32>, tensor<64xf32>) {
    %y = arith.negf %a : tensor<512x64xf32>
    %c = fusion.reduce add %y dims = [0] : tensor<512x64xf32> -> tensor<64xf32>
    fusion.yield %y, %c : tensor<512x64xf32>, tensor<64xf32>
  }
  %1 = fusion.segment "pointwise" (%a = %0#0 : tensor<512x64xf32>, %b = %0#1 : tensor<64xf32>) -> (tensor<512x64xf32>) {
    %c = fusion.broadcast %b dims = [1] : tensor<64xf32> -> tensor<512x64xf32>
    %s = arith.addf %a, %c : tensor<512x64xf32>
    fusion.yield %s : tensor<512x64xf32>
  }
  %2 = tensor.cast %1 : tensor<512x64xf32> to tensor<?x64xf32>
  return %0#0, %2 : tensor<512x64xf32>, tensor<?x64xf32>
}

// A segment that its scheduler refuses has no price.
// CHECK: plan of @refused: 1 segment, unknown launches, 0 operations outside segments
// CHECK-NEXT: segment 0: transpose
// CHECK-NEXT: reads argument 0
// CHECK-NEXT: writes result 0
// CHECK-NEXT: moves unknown bytes, 0 of them between segments
func.func private @refused(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %0 = fusion.segment "transpose" (%a = %x : tensor<4x8xf32>) -> (tensor<4xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    fusion.yield %r : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// A tensor for an operation outside, beside the function or not.
// CHECK: plan of @outside: 1 segment, 1 launch, 2 operations outside segments
// CHECK: writes result 0: tensor<4x4xf32>, 64 bytes, to linalg.matmul, to the function
// CHECK-NEXT: writes result 1: tensor<4x4xf32>, 64 bytes, to linalg.matmul{{$}}
func.func @outside(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0:2 = fusion.segment "pointwise" (%a = %x : tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %n = arith.negf %a : tensor<4x4xf32>
    %e = math.absf %a : tensor<4x4xf32>
    fusion.yield %n, %e : tensor<4x4xf32>, tensor<4x4xf32>
  }
  %init = tensor.empty() : tensor<4x4xf32>
  %1 = linalg.matmul ins(%0#0, %0#1 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0#0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}

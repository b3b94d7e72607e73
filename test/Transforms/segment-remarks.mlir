// Decisions are remarks; without refuse-unscheduled what is refused stays, in
// order.
// RUN: fusion-opt %s --fusion-segment=schedulers=inner-outer-persistent --remarks-filter='fusion-segment' --remark-policy=all -verify-diagnostics -o %t
// RUN: FileCheck %s < %t

// CHECK-LABEL: func @accepted
// CHECK: fusion.segment
func.func @accepted(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  // expected-remark@+1 {{[Passed] segment | Category:fusion-segment | operations=2, scheduler=inner-outer-persistent}}
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %r, %c : tensor<4xf32>, tensor<8xf32>
}

// CHECK-LABEL: func @refused
// CHECK-NOT: fusion.segment
// CHECK: %[[E:.*]] = math.exp
// CHECK-NEXT: %[[R:.*]] = fusion.reduce add %[[E]]
// CHECK-NEXT: return %[[R]]
func.func @refused(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-remark@+1 {{missing-reduction: expected a reduction along the columns}}
  %e = math.exp %x : tensor<4x8xf32>
  %r = fusion.reduce add %e dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

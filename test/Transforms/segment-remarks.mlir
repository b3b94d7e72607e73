// Decisions are remarks; without refuse-unscheduled what is refused stays, in
// order.
// RUN: fusion-opt %s --fusion-segment=schedulers=inner-outer-persistent --remarks-filter='fusion-segment' --remark-policy=all -verify-diagnostics -o %t
// RUN: FileCheck %s < %t

// CHECK-LABEL: func @accepted
// CHECK: fusion.segment
func.func @accepted(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  // expected-remark-re@+1 {{[Passed] segment | Category:fusion-segment | bytes={{[0-9]+}}, launches={{[12]}}, microseconds={{[^,]+}}, operations=2, registersPerThread={{[0-9]+}}, scheduler=inner-outer-persistent, sharedBytes={{[0-9]+}}}}
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

// Operations that meet on chip, one that stays outside with its reasons: alone,
// and together with what it shares tensors with.
// CHECK-LABEL: func @outside
// CHECK: fusion.segment
// CHECK: fusion.transpose
func.func @outside(%x: tensor<4x8xf32>)
    -> (tensor<4xf32>, tensor<8xf32>, tensor<8x4xf32>) {
  // expected-remark@+1 {{[Passed] segment}}
  %e = math.exp %x : tensor<4x8xf32>
  // expected-remark@+1 {{[Passed] merge | Category:fusion-segment | bytesKeptOnChip=128, with=math.exp}}
  %r = fusion.reduce add %e dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  // expected-remark@+1 {{[Passed] merge | Category:fusion-segment | bytesKeptOnChip=128, with=math.exp}}
  %c = fusion.reduce add %e dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  // expected-remark@+2 {{missing-reduction: expected a reduction along the rows or the columns}}
  // expected-remark@+1 {{unsupported-shape: expected the dimensions of the rows before those of the columns}}
  %t = fusion.transpose %x permutation = [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  return %r, %c, %t : tensor<4xf32>, tensor<8xf32>, tensor<8x4xf32>
}

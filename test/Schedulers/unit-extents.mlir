// Extents that are 1: loops of one iteration, not broadcasts.
// RUN: fusion-runner %s --function=one_row --device=sim --verify | FileCheck %s
// RUN: fusion-runner %s --function=one_column --device=sim --verify | FileCheck %s
// RUN: fusion-runner %s --function=expanded_one --device=sim --verify | FileCheck %s
// RUN: fusion-runner %s --function=squeezed_one --device=sim --verify | FileCheck %s
// RUN: fusion-runner %s --function=two_ones --device=sim --verify | FileCheck %s
// RUN: fusion-runner %s --function=softmax_of_one --device=sim --verify | FileCheck %s
// RUN: fusion-runner %s --function=batch_of_one --device=sim --verify | FileCheck %s
// RUN: fusion-opt %s --fusion-simplify --canonicalize --cse --fusion-segment=schedulers=inner-outer-persistent -o %t.mlir && fusion-runner %t.mlir --function=one_row --device=sim --verify | FileCheck %s
// RUN: fusion-opt %s --fusion-print-dim-classes -o /dev/null | FileCheck %s --check-prefix=CLASSES
// CHECK: passed
// CHECK-NOT: FAILED

// What grows is another loop than the 1 that it grows from; what stays is the same.
// CLASSES-LABEL: dimension classes of @expanded_one
// CLASSES-NEXT: %arg0: [[[ONE:[0-9]+]]]
// CLASSES-NEXT: %arg1: [[[ROW:[0-9]+]], [[NEW:[0-9]+]]]
// CLASSES-NEXT: %arg2: [[[ONE]], [[COLUMN:[0-9]+]]]
// CLASSES-NEXT: %expanded: [[[ONE]], [[NEW]]]
// CLASSES-NEXT: %0: [[[ROW]], [[NEW]]]
// CLASSES-NEXT: %1: [[[ONE]], [[COLUMN]]]
// CLASSES-NEXT: %2: [[[ROW]], [[EIGHT:[0-9]+]]]
// CLASSES-LABEL: dimension classes of @squeezed_one
// CLASSES-NEXT: %arg0: [[[BATCH:[0-9]+]], [[COLUMN:[0-9]+]]]
// CLASSES-NEXT: %arg1: [[[ROW:[0-9]+]], [[COLUMN]]]
// CLASSES-NEXT: %0: [[[COLUMN]]]
// CLASSES-NEXT: %1: [[[ROW]], [[COLUMN]]]

// The gradient of a norm of one row.
func.func @one_row(%x: tensor<1x8xf32>, %dy: tensor<1x8xf32>, %w: tensor<8xf32>) -> (tensor<1x8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %p = arith.mulf %x, %dy : tensor<1x8xf32>
  %wb = fusion.broadcast %w dims = [1] : tensor<8xf32> -> tensor<1x8xf32>
  %q = arith.mulf %p, %wb : tensor<1x8xf32>
  %s = fusion.reduce add %q dims = [1] : tensor<1x8xf32> -> tensor<1xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<1xf32> -> tensor<1x8xf32>
  %r = arith.subf %q, %sb : tensor<1x8xf32>
  %dw = fusion.reduce add %p dims = [0] : tensor<1x8xf32> -> tensor<8xf32>
  %db = fusion.reduce add %dy dims = [0] : tensor<1x8xf32> -> tensor<8xf32>
  return %r, %dw, %db : tensor<1x8xf32>, tensor<8xf32>, tensor<8xf32>
}

// The same of rows of one column.
func.func @one_column(%x: tensor<8x1xf32>, %dy: tensor<8x1xf32>, %w: tensor<1xf32>) -> (tensor<8x1xf32>, tensor<1xf32>) {
  %p = arith.mulf %x, %dy : tensor<8x1xf32>
  %wb = fusion.broadcast %w dims = [1] : tensor<1xf32> -> tensor<8x1xf32>
  %q = arith.mulf %p, %wb : tensor<8x1xf32>
  %s = fusion.reduce add %q dims = [1] : tensor<8x1xf32> -> tensor<8xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<8xf32> -> tensor<8x1xf32>
  %r = arith.subf %q, %sb : tensor<8x1xf32>
  %dw = fusion.reduce add %p dims = [0] : tensor<8x1xf32> -> tensor<1xf32>
  return %r, %dw : tensor<8x1xf32>, tensor<1xf32>
}

// A 1 that is expanded; either dimension grows, or stays.
func.func @expanded_one(%v: tensor<1xf32>, %x: tensor<4x1xf32>, %z: tensor<1x8xf32>) -> (tensor<4x1xf32>, tensor<1x8xf32>, tensor<4x8xf32>) {
  %e = tensor.expand_shape %v [[0, 1]] output_shape [1, 1] : tensor<1xf32> into tensor<1x1xf32>
  %a = fusion.broadcast %e dims = [0, 1] : tensor<1x1xf32> -> tensor<4x1xf32>
  %b = fusion.broadcast %e dims = [0, 1] : tensor<1x1xf32> -> tensor<1x8xf32>
  %c = fusion.broadcast %e dims = [0, 1] : tensor<1x1xf32> -> tensor<4x8xf32>
  %y = arith.addf %a, %x : tensor<4x1xf32>
  %w = arith.addf %b, %z : tensor<1x8xf32>
  %yb = fusion.broadcast %y dims = [0, 1] : tensor<4x1xf32> -> tensor<4x8xf32>
  %u = arith.mulf %c, %yb : tensor<4x8xf32>
  return %y, %w, %u : tensor<4x1xf32>, tensor<1x8xf32>, tensor<4x8xf32>
}

// A batch of one that is squeezed, added to others, and summed.
func.func @squeezed_one(%x: tensor<1x8xf32>, %y: tensor<4x8xf32>) -> (tensor<8xf32>, tensor<4x8xf32>, tensor<8xf32>) {
  %s = fusion.squeeze %x dims = [0] : tensor<1x8xf32> -> tensor<8xf32>
  %b = fusion.broadcast %s dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
  %t = arith.addf %b, %y : tensor<4x8xf32>
  %r = fusion.reduce add %x dims = [0] : tensor<1x8xf32> -> tensor<8xf32>
  %c = fusion.reduce add %t dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  %d = arith.addf %r, %c : tensor<8xf32>
  return %s, %t, %d : tensor<8xf32>, tensor<4x8xf32>, tensor<8xf32>
}

// Either of two ones is squeezed.
func.func @two_ones(%x: tensor<1x1x8xf32>, %y: tensor<1x8xf32>) -> (tensor<1x8xf32>, tensor<1x8xf32>, tensor<1xf32>) {
  %a = fusion.squeeze %x dims = [0] : tensor<1x1x8xf32> -> tensor<1x8xf32>
  %b = fusion.squeeze %x dims = [1] : tensor<1x1x8xf32> -> tensor<1x8xf32>
  %t = arith.addf %a, %y : tensor<1x8xf32>
  %u = arith.mulf %b, %t : tensor<1x8xf32>
  %r = fusion.reduce add %u dims = [1] : tensor<1x8xf32> -> tensor<1xf32>
  return %t, %u, %r : tensor<1x8xf32>, tensor<1x8xf32>, tensor<1xf32>
}

// Rows of one element.
func.func @softmax_of_one(%x: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %m = fusion.reduce maximumf %x dims = [1] : tensor<4x1xf32> -> tensor<4xf32>
  %mb = fusion.broadcast %m dims = [0] : tensor<4xf32> -> tensor<4x1xf32>
  %d = arith.subf %x, %mb : tensor<4x1xf32>
  %e = math.exp %d : tensor<4x1xf32>
  %s = fusion.reduce add %e dims = [1] : tensor<4x1xf32> -> tensor<4xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<4xf32> -> tensor<4x1xf32>
  %y = arith.divf %e, %sb : tensor<4x1xf32>
  return %y : tensor<4x1xf32>
}

// A batch of one image.
func.func @batch_of_one(%x: tensor<1x4x8xf32>, %w: tensor<4xf32>) -> (tensor<1x4x8xf32>, tensor<4xf32>) {
  %s = fusion.reduce add %x dims = [0, 2] : tensor<1x4x8xf32> -> tensor<4xf32>
  %sb = fusion.broadcast %s dims = [1] : tensor<4xf32> -> tensor<1x4x8xf32>
  %wb = fusion.broadcast %w dims = [1] : tensor<4xf32> -> tensor<1x4x8xf32>
  %d = arith.subf %x, %sb : tensor<1x4x8xf32>
  %y = arith.mulf %d, %wb : tensor<1x4x8xf32>
  return %y, %s : tensor<1x4x8xf32>, tensor<4xf32>
}

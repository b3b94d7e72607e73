// A constant has no loops: that a program writes a zero once for tensors of equal
// shapes does not make their loops equal.
// RUN: fusion-opt %s --fusion-print-dim-classes -o /dev/null | FileCheck %s
// RUN: fusion-opt %S/../Import/Inputs/corpus/torch_group_norm_backward.mlir --convert-linalg-to-fusion --fusion-simplify --canonicalize --cse --fusion-print-dim-classes -o /dev/null | FileCheck %s --check-prefix=GROUPS
// RUN: fusion-opt %s --fusion-print-iteration-spaces -o /dev/null | FileCheck %s --check-prefix=SPACES
// RUN: fusion-runner %s --function=shared_zero --device=sim --verify | FileCheck %s --check-prefix=PASSED
// RUN: fusion-runner %s --function=levels --device=sim --verify | FileCheck %s --check-prefix=PASSED
// RUN: fusion-runner %s --function=returned --device=sim --verify | FileCheck %s --check-prefix=PASSED
// PASSED: passed
// PASSED-NOT: FAILED

// In the gradient of a group norm the batch has as many images as there are groups, and
// a zero of one shape is added to sums over the channels of a group, and to sums over the
// images: images, groups and channels are three loops.
// GROUPS: %arg0: [[[N:[0-9]+]], [[C:[0-9]+]], [[H:[0-9]+]], [[W:[0-9]+]]]
// GROUPS: %arg2: [[[N]], [[G:[0-9]+]]]
// GROUPS: %expanded: [[[N]], [[G]], [[K:[0-9]+]]]
// GROUPS: class [[N]]: extent 2
// GROUPS-NEXT: class [[C]]: extent 4, product of [[G]] x [[K]]
// GROUPS: class [[G]]: extent 2

// Sums of rows and of columns of a square plus one zero.
// CHECK: dimension classes of @shared_zero
// CHECK-NEXT: %arg0: [[[A:[0-9]+]], [[B:[0-9]+]]]
// CHECK-NEXT: %cst: [[[ZERO:[0-9]+]]]
// CHECK-NEXT: %0: [[[A]]]
// CHECK-NEXT: %1: [[[B]]]
// CHECK-NEXT: %2: [[[A]]]
// CHECK-NEXT: %3: [[[B]]]
// SPACES: iteration spaces of @shared_zero
// SPACES-NEXT: loop 0: 16
// SPACES-NEXT: loop 1: 16
// SPACES-NEXT: input 0: strides [16, 1]
// SPACES-NEXT: output 0: strides [1, 0]
// SPACES-NEXT: output 1: strides [0, 1]
func.func @shared_zero(%x: tensor<16x16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %z = arith.constant dense<2.0> : tensor<16xf32>
  %r = fusion.reduce add %x dims = [1] : tensor<16x16xf32> -> tensor<16xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<16x16xf32> -> tensor<16xf32>
  %a = arith.addf %r, %z : tensor<16xf32>
  %b = arith.addf %c, %z : tensor<16xf32>
  return %a, %b : tensor<16xf32>, tensor<16xf32>
}

// A constant that every level of a row uses, and one that is reduced itself: that one
// has the loops of what it is reduced with.
// CHECK: dimension classes of @levels
// CHECK-NEXT: %arg0: [[[A:[0-9]+]], [[B:[0-9]+]]]
// CHECK: %cst_0: [[[A]], [[B]]]
func.func @levels(%x: tensor<16x64xf32>) -> (tensor<16x64xf32>, tensor<16x64xf32>) {
  %half = arith.constant dense<0.5> : tensor<16x64xf32>
  %one = arith.constant dense<1.5> : tensor<16x64xf32>
  %a = arith.mulf %x, %half : tensor<16x64xf32>
  %s = fusion.reduce add %a dims = [1] : tensor<16x64xf32> -> tensor<16xf32>
  %b = fusion.broadcast %s dims = [0] : tensor<16xf32> -> tensor<16x64xf32>
  %d = arith.mulf %b, %half : tensor<16x64xf32>
  %n = fusion.reduce mul %one dims = [1] : tensor<16x64xf32> -> tensor<16xf32>
  %m = fusion.broadcast %n dims = [0] : tensor<16xf32> -> tensor<16x64xf32>
  %e = arith.subf %x, %d : tensor<16x64xf32>
  %y = arith.addf %one, %m : tensor<16x64xf32>
  %f = arith.mulf %y, %e : tensor<16x64xf32>
  %g = arith.mulf %e, %half : tensor<16x64xf32>
  return %f, %g : tensor<16x64xf32>, tensor<16x64xf32>
}

// Neither does a function that returns it, which no segment sees: what is one loop
// in the function is one loop in its segments.
// CHECK: dimension classes of @returned
// CHECK-NEXT: %cst: [[[CONSTANT:[0-9]+]]]
// CHECK-NEXT: %0: [[[E:[0-9]+]]]
// CHECK-NEXT: %1: [[[R:[0-9]+]]]
func.func @returned() -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %z = arith.constant dense<2.0> : tensor<16xf32>
  %e = math.exp %z : tensor<16xf32>
  %r = math.cbrt %z : tensor<16xf32>
  return %e, %r, %z : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

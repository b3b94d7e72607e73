// RUN: fusion-opt %s --fusion-separate-loops | FileCheck %s
// DEFINE: %{run} = fusion-runner %s --device=sim --verify
// RUN: %{run} --function=differences --print-plan | FileCheck %s --check-prefix=ONE
// RUN: %{run} --function=symmetric --print-plan | FileCheck %s --check-prefix=ONE
// RUN: %{run} --function=squared --print-plan | FileCheck %s --check-prefix=ONE
// RUN: %{run} --function=computed --print-plan | FileCheck %s --check-prefix=TWO
// RUN: %{run} --function=again
// RUN: %{run} --function=flat
// RUN: %{run} --function=sums --print-plan | FileCheck %s --check-prefix=TWO
// RUN: %{run} --function=shifted --shape=0=33 --shape=1=33x33
// ONE: plan: 1 segments, 1 launches
// TWO: plan: 2 segments, 2 launches

// CHECK-LABEL: func.func @differences(
// CHECK-SAME: %[[X:.*]]: tensor<64xf32>)
// CHECK-NEXT: %[[A:.*]] = fusion.broadcast %[[X]] dims = [0]
// CHECK-NEXT: %[[Y:.*]] = tensor.extract_slice %[[X]][0] [64] [1] : tensor<64xf32> to tensor<64xf32>
// CHECK-NEXT: %[[B:.*]] = fusion.broadcast %[[Y]] dims = [1]
// CHECK-NEXT: arith.subf %[[A]], %[[B]]
func.func @differences(%x: tensor<64xf32>) -> tensor<64x64xf32> {
  %a = fusion.broadcast %x dims = [0] : tensor<64xf32> -> tensor<64x64xf32>
  %b = fusion.broadcast %x dims = [1] : tensor<64xf32> -> tensor<64x64xf32>
  %d = arith.subf %a, %b : tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

// What happens to the second one on the way stays in the same kernel.
// CHECK-LABEL: func.func @symmetric(
// CHECK-SAME: %[[X:.*]]: tensor<33x33xf32>)
// CHECK: %[[Y:.*]] = tensor.extract_slice %[[X]][0, 0] [33, 33] [1, 1]
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[Y]], %{{.*}}
// CHECK-NEXT: %[[T:.*]] = fusion.transpose %[[S]]
// CHECK-NEXT: arith.addf %[[X]], %[[T]]
func.func @symmetric(%x: tensor<33x33xf32>) -> tensor<33x33xf32> {
  %half = arith.constant dense<0.5> : tensor<33x33xf32>
  %s = arith.mulf %x, %half : tensor<33x33xf32>
  %t = fusion.transpose %s permutation = [1, 0] : tensor<33x33xf32> -> tensor<33x33xf32>
  %m = arith.addf %x, %t : tensor<33x33xf32>
  return %m : tensor<33x33xf32>
}

// CHECK-LABEL: func.func @squared(
// CHECK-COUNT-1: tensor.extract_slice
// CHECK-NOT: tensor.extract_slice
func.func @squared(%x: tensor<16x8xf32>) -> tensor<16x16xf32> {
  %a = fusion.broadcast %x dims = [0, 2] : tensor<16x8xf32> -> tensor<16x16x8xf32>
  %b = fusion.broadcast %x dims = [1, 2] : tensor<16x8xf32> -> tensor<16x16x8xf32>
  %m = arith.subf %a, %b : tensor<16x16x8xf32>
  %q = arith.mulf %m, %m : tensor<16x16x8xf32>
  %s = fusion.reduce add %q dims = [2] : tensor<16x16x8xf32> -> tensor<16x16xf32>
  return %s : tensor<16x16xf32>
}

// A value that is computed is stored before it is read by another loop.
// CHECK-LABEL: func.func @computed(
// CHECK: %[[R:.*]] = fusion.reduce
// CHECK: %[[S:.*]] = tensor.extract_slice %[[R]][0] [64] [1]
// CHECK-NEXT: fusion.broadcast %[[S]] dims = [1]
func.func @computed(%x: tensor<64x48xf32>) -> tensor<64x64xf32> {
  %r = fusion.reduce add %x dims = [1] : tensor<64x48xf32> -> tensor<64xf32>
  %a = fusion.broadcast %r dims = [0] : tensor<64xf32> -> tensor<64x64xf32>
  %b = fusion.broadcast %r dims = [1] : tensor<64xf32> -> tensor<64x64xf32>
  %d = arith.subf %a, %b : tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

// Another name for the argument, and one for what came of both.
// CHECK-LABEL: func.func @again(
// CHECK-SAME: %[[X:.*]]: tensor<32x32xf32>)
// CHECK: tensor.extract_slice %[[X]][0, 0]
// CHECK: %[[M:.*]] = arith.subf
// CHECK: %[[P:.*]] = tensor.extract_slice %[[M]][0, 0]
// CHECK-NEXT: arith.mulf %{{.*}}, %[[P]]
// CHECK-NOT: tensor.extract_slice
func.func @again(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %t = fusion.transpose %x permutation = [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
  %m = arith.subf %x, %t : tensor<32x32xf32>
  %q = arith.mulf %m, %x : tensor<32x32xf32>
  %u = fusion.transpose %q permutation = [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
  %g = arith.mulf %u, %m : tensor<32x32xf32>
  return %g : tensor<32x32xf32>
}

// Sums of the rows beside sums of the columns: two loops over the results.
// CHECK-LABEL: func.func @sums(
// CHECK: %[[R:.*]] = fusion.reduce add %{{.*}} dims = [1]
// CHECK: %[[C:.*]] = fusion.reduce add %{{.*}} dims = [0]
// CHECK: %[[D:.*]] = tensor.extract_slice %[[C]][0] [33] [1]
// CHECK: arith.addf %[[R]], %[[D]]
func.func @sums(%x: tensor<33x33xf32>) -> tensor<33xf32> {
  %r = fusion.reduce add %x dims = [1] : tensor<33x33xf32> -> tensor<33xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<33x33xf32> -> tensor<33xf32>
  %s = arith.addf %r, %c : tensor<33xf32>
  return %s : tensor<33xf32>
}

// Reshapes relate the transposed tensor to the other one.
// CHECK-LABEL: func.func @flat(
// CHECK: %[[T:.*]] = fusion.transpose
// CHECK: tensor.extract_slice %[[T]][0, 0]
// CHECK-NEXT: tensor.collapse_shape
// CHECK: tensor.extract_slice %{{.*}}[0] [1089] [1]
// CHECK-NEXT: tensor.expand_shape
func.func @flat(%y: tensor<33x33xf32>) -> tensor<33x33xf32> {
  %t = fusion.transpose %y permutation = [1, 0] : tensor<33x33xf32> -> tensor<33x33xf32>
  %f = tensor.collapse_shape %t [[0, 1]] : tensor<33x33xf32> into tensor<1089xf32>
  %e = math.tanh %f : tensor<1089xf32>
  %u = tensor.expand_shape %e [[0, 1]] output_shape [33, 33] : tensor<1089xf32> into tensor<33x33xf32>
  %m = arith.maximumf %u, %y : tensor<33x33xf32>
  return %m : tensor<33x33xf32>
}

// CHECK-LABEL: func.func @shifted(
// CHECK: %[[N:.*]] = tensor.dim %[[P:.*]], %{{.*}} : tensor<?xf32>
// CHECK: tensor.extract_slice %[[P]][0] [%{{.*}}] [1] : tensor<?xf32> to tensor<?xf32>
func.func @shifted(%p: tensor<?xf32>, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %p, %c0 : tensor<?xf32>
  %a = fusion.broadcast %p [%n] dims = [0] : tensor<?xf32> -> tensor<?x?xf32>
  %b = fusion.broadcast %p [%n] dims = [1] : tensor<?xf32> -> tensor<?x?xf32>
  %d = arith.subf %a, %b : tensor<?x?xf32>
  %e = arith.addf %x, %d : tensor<?x?xf32>
  return %e : tensor<?x?xf32>
}

// Left alone: a square whose dimensions are two loops, dimensions of extent 1,
// a constant, which fits any loops, and what is in a segment.
// CHECK-LABEL: func.func @apart(
// CHECK-NOT: tensor.extract_slice
func.func @apart(%x: tensor<16x16xf32>, %v: tensor<16xf32>, %w: tensor<16xf32>, %u: tensor<1x1xf32>) -> (tensor<16x16xf32>, tensor<1x1xf32>, tensor<16x16xf32>) {
  %c = arith.constant dense<2.0> : tensor<16x16xf32>
  %a = fusion.broadcast %v dims = [0] : tensor<16xf32> -> tensor<16x16xf32>
  %b = fusion.broadcast %w dims = [1] : tensor<16xf32> -> tensor<16x16xf32>
  %s = arith.addf %a, %b : tensor<16x16xf32>
  %y = arith.mulf %s, %x : tensor<16x16xf32>
  %k = arith.addf %y, %c : tensor<16x16xf32>
  %t = fusion.transpose %k permutation = [1, 0] : tensor<16x16xf32> -> tensor<16x16xf32>
  %z = arith.mulf %t, %c : tensor<16x16xf32>
  %ut = fusion.transpose %u permutation = [1, 0] : tensor<1x1xf32> -> tensor<1x1xf32>
  %us = arith.addf %u, %ut : tensor<1x1xf32>
  %g = fusion.segment "pointwise" (%p = %x : tensor<16x16xf32>) -> (tensor<16x16xf32>) {
    %pt = fusion.transpose %p permutation = [1, 0] : tensor<16x16xf32> -> tensor<16x16xf32>
    %q = arith.addf %p, %pt : tensor<16x16xf32>
    fusion.yield %q : tensor<16x16xf32>
  }
  return %z, %us, %g : tensor<16x16xf32>, tensor<1x1xf32>, tensor<16x16xf32>
}

// Reductions of repeated values give the same before and after, bit for bit.
// RUN: fusion-opt %s --fusion-simplify -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: fusion-runner %s --device=ref --ref-precision=type --seed=3 --input=1=const:3 --output-dir=%t.before
// RUN: fusion-runner %t.mlir --device=ref --ref-precision=type --seed=3 --input=1=const:3 --output-dir=%t.after
// RUN: cmp %t.before/result0.npy %t.after/result0.npy
// RUN: cmp %t.before/result1.npy %t.after/result1.npy

// CHECK: fusion.reduce maximumf %arg0 dims = [2]
// CHECK: fusion.reduce minnumf %{{.*}} dims = [1] : tensor<4x6xf16> -> tensor<4xf16>
func.func @f(%v: tensor<4x1x6xf16>, %n: index) -> (tensor<?x4x1xf32>, tensor<7x4xf16>) {
  %b = fusion.broadcast %v [%n] dims = [2, 3, 4] : tensor<4x1x6xf16> -> tensor<5x?x4x1x6xf16>
  %m = fusion.reduce maximumf %b dims = [0, 4] : tensor<5x?x4x1x6xf16> -> tensor<?x4x1xf32>
  %g = fusion.broadcast %v dims = [1, 2, 3] : tensor<4x1x6xf16> -> tensor<7x4x3x6xf16>
  %h = fusion.reduce minnumf %g dims = [2, 3] : tensor<7x4x3x6xf16> -> tensor<7x4xf16>
  return %m, %h : tensor<?x4x1xf32>, tensor<7x4xf16>
}

// The simplified program computes the same values, bit for bit.
// RUN: fusion-opt %s --fusion-simplify -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: fusion-runner %s --device=ref --ref-precision=type --seed=3 --output-dir=%t.before
// RUN: fusion-runner %t.mlir --device=ref --ref-precision=type --seed=3 --output-dir=%t.after
// RUN: cmp %t.before/result0.npy %t.after/result0.npy
// RUN: cmp %t.before/result1.npy %t.after/result1.npy
// RUN: cmp %t.before/result2.npy %t.after/result2.npy

// CHECK-LABEL: func.func @keep_dimensions
// CHECK-NOT: expand_shape
// CHECK-NOT: collapse_shape
// CHECK-COUNT-2: fusion.broadcast
// CHECK-NOT: fusion.broadcast %{{.*}} -> tensor<7x1xf32>
func.func @keep_dimensions(%x: tensor<7x13xbf16>, %w: tensor<13x1xf32>) -> (tensor<7x13xf32>, tensor<1x13x7xf32>, tensor<7xf32>) {
  %scale = arith.constant dense<0.0769230769> : tensor<7x1xf32>
  %eps = arith.constant dense<1.0e-5> : tensor<7x13xf32>
  %sum = fusion.reduce add %x dims = [1] : tensor<7x13xbf16> -> tensor<7xf32>
  %keep = tensor.expand_shape %sum [[0, 1]] output_shape [7, 1] : tensor<7xf32> into tensor<7x1xf32>
  %mean = arith.mulf %keep, %scale : tensor<7x1xf32>
  %flat = tensor.collapse_shape %mean [[0, 1]] : tensor<7x1xf32> into tensor<7xf32>
  %again = tensor.expand_shape %flat [[0, 1]] output_shape [7, 1] : tensor<7xf32> into tensor<7x1xf32>
  %rows = fusion.broadcast %again dims = [0, 1] : tensor<7x1xf32> -> tensor<7x13xf32>
  %shifted = arith.addf %rows, %eps : tensor<7x13xf32>
  %root = math.absf %shifted : tensor<7x13xf32>
  %wide = arith.extf %x : tensor<7x13xbf16> to tensor<7x13xf32>
  %columns = fusion.squeeze %w dims = [1] : tensor<13x1xf32> -> tensor<13xf32>
  %weights = fusion.broadcast %columns dims = [1] : tensor<13xf32> -> tensor<7x13xf32>
  %a = arith.mulf %wide, %weights : tensor<7x13xf32>
  %y = arith.addf %a, %root : tensor<7x13xf32>
  %t = fusion.transpose %y permutation = [1, 0] : tensor<7x13xf32> -> tensor<13x7xf32>
  %z = fusion.broadcast %t dims = [1, 2] : tensor<13x7xf32> -> tensor<1x13x7xf32>
  return %y, %z, %flat : tensor<7x13xf32>, tensor<1x13x7xf32>, tensor<7xf32>
}

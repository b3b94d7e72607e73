// Programs that failed when they were found. Each is checked with its arguments.
// RUN: split-file %s %t
// RUN: fusion-random-test %t/clamp.mlir %t/power.mlir %t/questions.mlir %t/no-kernel.mlir %t/poles.mlir %t/remainder.mlir %t/magnified.mlir %t/products.mlir --list | FileCheck %s

// CHECK: clamp: passed
// CHECK: power: passed
// CHECK: questions: passed
// CHECK: no-kernel: passed
// CHECK: poles: {{passed|refused}}
// CHECK: remainder: {{passed|refused}}
// CHECK: magnified: {{passed|refused}}
// CHECK: products: passed

// The simulator had no clampf.
//--- clamp.mlir
func.func @clamp(%x: tensor<3x5xf16>) -> (tensor<3xf16>, tensor<5xf16>) {
  %low = arith.constant dense<-1.0> : tensor<3x5xf16>
  %high = arith.constant dense<1.5> : tensor<3x5xf16>
  %y = math.clampf %x to [%low, %high] : tensor<3x5xf16>
  %r = fusion.reduce maximumf %y dims = [1] : tensor<3x5xf16> -> tensor<3xf16>
  %c = fusion.reduce minimumf %y dims = [0] : tensor<3x5xf16> -> tensor<5xf16>
  return %r, %c : tensor<3xf16>, tensor<5xf16>
}
// Nor fpowi.
//--- power.mlir
func.func @power(%x: tensor<3x5xf32>) -> (tensor<3xf32>, tensor<5xf32>) {
  %n = arith.constant dense<-3> : tensor<3x5xi32>
  %y = math.fpowi %x, %n : tensor<3x5xf32>, tensor<3x5xi32>
  %r = fusion.reduce maximumf %y dims = [1] : tensor<3x5xf32> -> tensor<3xf32>
  %c = fusion.reduce minimumf %y dims = [0] : tensor<3x5xf32> -> tensor<5xf32>
  return %r, %c : tensor<3xf32>, tensor<5xf32>
}
// Nor isnan, isinf, isfinite and isnormal.
//--- questions.mlir
func.func @questions(%x: tensor<3x5xbf16>, %z: tensor<3x5xi32>) -> (tensor<3xi32>, tensor<5xi32>) {
  %zero = arith.constant dense<0.0> : tensor<3x5xbf16>
  %tiny = arith.constant dense<1.0e-39> : tensor<3x5xbf16>
  %inf = arith.divf %x, %zero : tensor<3x5xbf16>
  %nan = arith.subf %inf, %inf : tensor<3x5xbf16>
  %a = math.isnan %nan : tensor<3x5xbf16>
  %b = math.isinf %inf : tensor<3x5xbf16>
  %c = math.isfinite %x : tensor<3x5xbf16>
  %small = arith.minimumf %x, %tiny : tensor<3x5xbf16>
  %abs = math.absf %small : tensor<3x5xbf16>
  %d = math.isnormal %abs : tensor<3x5xbf16>
  %ai = arith.extui %a : tensor<3x5xi1> to tensor<3x5xi32>
  %bi = arith.extui %b : tensor<3x5xi1> to tensor<3x5xi32>
  %ci = arith.extui %c : tensor<3x5xi1> to tensor<3x5xi32>
  %di = arith.extui %d : tensor<3x5xi1> to tensor<3x5xi32>
  %ab = arith.addi %ai, %bi : tensor<3x5xi32>
  %cd = arith.addi %ci, %di : tensor<3x5xi32>
  %abcd = arith.muli %ab, %cd : tensor<3x5xi32>
  %y = arith.addi %abcd, %z : tensor<3x5xi32>
  %r = fusion.reduce add %y dims = [1] : tensor<3x5xi32> -> tensor<3xi32>
  %s = fusion.reduce add %y dims = [0] : tensor<3x5xi32> -> tensor<5xi32>
  return %r, %s : tensor<3xi32>, tensor<5xi32>
}
// A program that folds away has no kernel; its arguments were allocated all the same.
//--- no-kernel.mlir
func.func @no_kernel(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>) {
  %k = arith.constant dense<3> : tensor<i32>
  return %x, %k : tensor<4xf32>, tensor<i32>
}
// At the ends of a domain, and where numbers of few bits change much.
//--- poles.mlir
func.func @poles(%x: tensor<166x12xbf16>, %y: tensor<166x12xbf16>) -> (tensor<166x12xbf16>, tensor<166x12xbf16>, tensor<166x12xbf16>) {
  %p = arith.mulf %x, %y : tensor<166x12xbf16>
  %a = math.atanh %p : tensor<166x12xbf16>
  %b = math.acosh %p : tensor<166x12xbf16>
  %c = math.cbrt %p : tensor<166x12xbf16>
  return %a, %b, %c : tensor<166x12xbf16>, tensor<166x12xbf16>, tensor<166x12xbf16>
}
// A remainder jumps where the quotient is nearly whole.
//--- remainder.mlir
func.func @remainder(%x: tensor<166x12xbf16>, %y: tensor<166x12xbf16>, %z: tensor<166x12xbf16>) -> tensor<166x12xbf16> {
  %s = arith.addf %x, %y : tensor<166x12xbf16>
  %r = arith.remf %z, %s : tensor<166x12xbf16>
  return %r : tensor<166x12xbf16>
}
// Functions that magnify the error of their operand beyond 1e-6.
//--- magnified.mlir
func.func @magnified(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %k = arith.constant dense<20.0> : tensor<4x8xf32>
  %d = arith.subf %x, %y : tensor<4x8xf32>
  %m = arith.mulf %d, %k : tensor<4x8xf32>
  %a = math.cosh %m : tensor<4x8xf32>
  %b = math.tan %m : tensor<4x8xf32>
  return %a, %b : tensor<4x8xf32>, tensor<4x8xf32>
}
// A product whose partial results overflow in one order and not in another.
//--- products.mlir
func.func @products(%x: tensor<64x64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %k = arith.constant dense<100.0> : tensor<64x64xf32>
  %y = arith.mulf %x, %k : tensor<64x64xf32>
  %z = math.floor %y : tensor<64x64xf32>
  %r = fusion.reduce mul %z dims = [1] : tensor<64x64xf32> -> tensor<64xf32>
  %c = fusion.reduce mul %z dims = [0] : tensor<64x64xf32> -> tensor<64xf32>
  return %r, %c : tensor<64xf32>, tensor<64xf32>
}

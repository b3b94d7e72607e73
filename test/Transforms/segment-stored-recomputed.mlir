// What one kernel stores and another recomputes is no input of the other: there its users
// take their own.
// RUN: fusion-opt %s --fusion-to-segments=chip=sm_80 | FileCheck %s
// RUN: fusion-runner %s --chip=sm_80 --device=sim --verify

// CHECK: fusion.segment "pointwise"
// CHECK: %[[STORED:.*]] = tensor.splat
// CHECK: fusion.yield %[[STORED]]
// CHECK: fusion.segment "full-reduction" (%[[S:.*]] = %arg1 : i16, %[[X:.*]] = %arg0 : tensor<40x128xi16>) -> (tensor<f64>) {
// CHECK-NEXT: %[[SPLAT:.*]] = tensor.splat %[[S]]
// CHECK-NEXT: arith.xori %[[SPLAT]], %[[X]]
func.func @program(%x: tensor<40x128xi16>, %s: i16) -> (tensor<40x128xf64>, tensor<40x128xi64>, tensor<f64>, tensor<40x128xi16>) {
  %splat = tensor.splat %s : tensor<40x128xi16>
  %a = arith.xori %splat, %x : tensor<40x128xi16>
  %signed = arith.sitofp %a : tensor<40x128xi16> to tensor<40x128xf64>
  %e = math.expm1 %signed : tensor<40x128xf64>
  %unsigned = arith.uitofp %a : tensor<40x128xi16> to tensor<40x128xf64>
  %b = arith.uitofp %x : tensor<40x128xi16> to tensor<40x128xf32>
  %c = arith.fptosi %b : tensor<40x128xf32> to tensor<40x128xi64>
  %r = fusion.reduce mul %e dims = [0, 1] : tensor<40x128xf64> -> tensor<f64>
  return %unsigned, %c, %r, %splat : tensor<40x128xf64>, tensor<40x128xi64>, tensor<f64>, tensor<40x128xi16>
}

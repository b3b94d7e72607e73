// RUN: fusion-opt %s --fusion-preempt-folders | FileCheck %s
// RUN: fusion-opt %s --fusion-preempt-folders --canonicalize | fusion-opt | FileCheck %s --check-prefix=FOLDED
//
// DEFINE: %{function} =
// DEFINE: %{run} = fusion-runner %s --function=%{function} --device=sim --verify --shape=0=5x8
// REDEFINE: %{function} = exclusive_or
// RUN: %{run}
// REDEFINE: %{function} = comparisons
// RUN: %{run}
// REDEFINE: %{function} = equal_later
// RUN: %{run}
// REDEFINE: %{function} = always
// RUN: %{run}
// RUN: fusion-runner %s --function=overflow_is_nan --device=sim --verify --input=0=const:-3
// RUN: fusion-runner %s --function=arc_of_zeros --device=sim --verify
// RUN: fusion-runner %s --function=arc_of_folded_zeros --device=sim --verify

// CHECK-LABEL: func.func @exclusive_or(
// CHECK-SAME: %[[X:.*]]: tensor<?x8xi32>
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %{{.*}} : tensor<?x8xi32>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: %[[Y:.*]] = tensor.splat %[[ZERO]][%[[N]]] : tensor<?x8xi32>
// CHECK: arith.subi %[[X]], %[[Y]]
// FOLDED-LABEL: func.func @exclusive_or(
// FOLDED-NOT: dense<{{.*}}> : tensor<{{.*}}?
func.func @exclusive_or(%x: tensor<?x8xi32>) -> (tensor<?x8xi32>, tensor<?x8xi32>, tensor<?xi32>) {
  %y = arith.xori %x, %x : tensor<?x8xi32>
  %z = arith.subi %x, %y : tensor<?x8xi32>
  %r = fusion.reduce add %z dims = [1] : tensor<?x8xi32> -> tensor<?xi32>
  return %y, %z, %r : tensor<?x8xi32>, tensor<?x8xi32>, tensor<?xi32>
}

// CHECK-LABEL: func.func @comparisons(
// CHECK: arith.constant true
// CHECK-COUNT-2: tensor.dim
// CHECK: tensor.splat %{{.*}} : tensor<?x?xi1>
// CHECK: arith.constant false
// CHECK: tensor.splat %{{.*}} : tensor<?x?xi1>
// CHECK: arith.constant true
// CHECK: tensor.splat %{{.*}} : tensor<?x?xi1>
func.func @comparisons(%x: tensor<?x?xi32>) -> (tensor<?x?xi1>, tensor<?x?xi1>, tensor<?x?xi1>) {
  %eq = arith.cmpi eq, %x, %x : tensor<?x?xi32>
  %lt = arith.cmpi slt, %x, %x : tensor<?x?xi32>
  %ge = arith.cmpi uge, %x, %x : tensor<?x?xi32>
  return %eq, %lt, %ge : tensor<?x?xi1>, tensor<?x?xi1>, tensor<?x?xi1>
}

// Equal only after common subexpressions have become one.
// CHECK-LABEL: func.func @equal_later(
// CHECK: arith.xori
func.func @equal_later(%x: tensor<?x8xi32>) -> (tensor<?x8xi32>, tensor<?x8xi32>) {
  %a = arith.muli %x, %x : tensor<?x8xi32>
  %b = arith.muli %x, %x : tensor<?x8xi32>
  %y = arith.xori %a, %b : tensor<?x8xi32>
  %z = arith.addi %y, %a : tensor<?x8xi32>
  return %y, %z : tensor<?x8xi32>, tensor<?x8xi32>
}

// Static shapes, other operands, scalars, and floats, which may be NaN, are left.
// CHECK-LABEL: func.func @left(
// CHECK-NOT: tensor.splat
func.func @left(%x: tensor<4x8xi32>, %y: tensor<?xi32>, %z: tensor<?xi32>, %f: tensor<?xf32>, %i: i32) -> (tensor<4x8xi32>, tensor<?xi32>, tensor<?xi1>, i32) {
  %0 = arith.xori %x, %x : tensor<4x8xi32>
  %1 = arith.xori %y, %z : tensor<?xi32>
  %2 = arith.cmpf oeq, %f, %f : tensor<?xf32>
  %3 = arith.xori %i, %i : i32
  return %0, %1, %2, %3 : tensor<4x8xi32>, tensor<?xi32>, tensor<?xi1>, i32
}

// Upstream's canonicalization crashes on the scalars.
// CHECK-LABEL: func.func @always(
// CHECK-NOT: arith.cmpf
// FOLDED-LABEL: func.func @always(
// FOLDED-NOT: arith.cmpf
func.func @always(%x: tensor<?x8xi8>, %y: tensor<4xi8>, %s: i8) -> (tensor<?x8xi1>, tensor<4xi1>, i1, i1) {
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %fx = arith.uitofp %x : tensor<?x8xi8> to tensor<?x8xf32>
  %fy = arith.uitofp %y : tensor<4xi8> to tensor<4xf32>
  %fs = arith.uitofp %s : i8 to f32
  %0 = arith.cmpf true, %fx, %fx : tensor<?x8xf32>
  %1 = arith.cmpf false, %fy, %zeros : tensor<4xf32>
  %2 = arith.cmpf true, %fs, %zero : f32
  %3 = arith.cmpf false, %fs, %zero : f32
  return %0, %1, %2, %3 : tensor<?x8xi1>, tensor<4xi1>, i1, i1
}

// CHECK-LABEL: func.func @arc_of_zeros(
// CHECK-DAG: dense<[0.000000e+00, -0.000000e+00, 3.14159274, -3.14159274, 0.785398185]> : tensor<5xf32>
// CHECK-DAG: dense<3.140630e+00> : tensor<2xbf16>
// CHECK-DAG: arith.constant 0.000000e+00 : f64
func.func @arc_of_zeros() -> (tensor<5xf32>, tensor<2xbf16>, f64) {
  %y = arith.constant dense<[0.0, -0.0, 0.0, -0.0, 1.0]> : tensor<5xf32>
  %x = arith.constant dense<[0.0, 0.0, -0.0, -0.0, 1.0]> : tensor<5xf32>
  %0 = math.atan2 %y, %x : tensor<5xf32>
  %v = arith.constant dense<0.0> : tensor<2xbf16>
  %u = arith.constant dense<-0.0> : tensor<2xbf16>
  %1 = math.atan2 %v, %u : tensor<2xbf16>
  %s = arith.constant 0.0 : f64
  %2 = math.atan2 %s, %s : f64
  return %0, %1, %2 : tensor<5xf32>, tensor<2xbf16>, f64
}

// Constants only when upstream has folded what makes them.
// CHECK-LABEL: func.func @arc_of_folded_zeros(
// CHECK-DAG: dense<3.140630e+00> : tensor<bf16>
// CHECK-DAG: dense<0.000000e+00> : tensor<2xf32>
// CHECK-DAG: arith.constant -3.14159274 : f32
// CHECK-NOT: math.atan2 {{.*}} f32
// CHECK: math.atan2 {{.*}} : tensor<3xf64>
// FOLDED-LABEL: func.func @arc_of_folded_zeros(
// FOLDED-NOT: 0x
func.func @arc_of_folded_zeros(%n: tensor<2xi32>, %v: tensor<3xf64>) -> (tensor<bf16>, tensor<2xf32>, f32, tensor<3xf64>) {
  %c = arith.constant dense<0.0> : tensor<f64>
  %d = arith.constant dense<-0.0> : tensor<f64>
  %y = arith.truncf %c : tensor<f64> to tensor<bf16>
  %x = arith.truncf %d : tensor<f64> to tensor<bf16>
  %0 = math.atan2 %y, %x : tensor<bf16>
  %i = arith.subi %n, %n : tensor<2xi32>
  %z = arith.sitofp %i : tensor<2xi32> to tensor<2xf32>
  %1 = math.atan2 %z, %z : tensor<2xf32>
  %s = arith.constant 0.0 : f32
  %t = arith.negf %s : f32
  %2 = math.atan2 %t, %t : f32
  %3 = math.atan2 %v, %v : tensor<3xf64>
  return %0, %1, %2, %3 : tensor<bf16>, tensor<2xf32>, f32, tensor<3xf64>
}

// An integer beyond the range of f8E4M3FN is NaN there, which is unordered.
// CHECK-LABEL: func.func @overflow_is_nan(
// CHECK: %[[F:.*]] = arith.uitofp %{{.*}} : tensor<4xi64> to tensor<4xf8E4M3FN>
// CHECK-DAG: %[[W:.*]] = arith.extf %[[F]] : tensor<4xf8E4M3FN> to tensor<4xf32>
// CHECK-DAG: %[[C:.*]] = arith.extf %{{.*}} : tensor<4xf8E4M3FN> to tensor<4xf32>
// CHECK: arith.cmpf ueq, %[[W]], %[[C]] : tensor<4xf32>
// In f16 it is infinity.
// CHECK: arith.cmpf ueq, %{{.*}} : tensor<4xf16>
// FOLDED-LABEL: func.func @overflow_is_nan(
// FOLDED: arith.cmpf ueq, %{{.*}} : tensor<4xf32>
func.func @overflow_is_nan(%x: tensor<4xi64>) -> (tensor<4xi1>, tensor<4xi1>) {
  %c = arith.constant dense<-1.5> : tensor<4xf8E4M3FN>
  %f = arith.uitofp %x : tensor<4xi64> to tensor<4xf8E4M3FN>
  %r = arith.cmpf ueq, %f, %c : tensor<4xf8E4M3FN>
  %h = arith.constant dense<-1.5> : tensor<4xf16>
  %g = arith.uitofp %x : tensor<4xi64> to tensor<4xf16>
  %s = arith.cmpf ueq, %g, %h : tensor<4xf16>
  return %r, %s : tensor<4xi1>, tensor<4xi1>
}

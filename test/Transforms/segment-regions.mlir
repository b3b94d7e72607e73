// Bodies of loops and conditions are segmented like functions. Bodies of other operations
// are theirs.
// RUN: fusion-opt %s --allow-unregistered-dialect --fusion-to-segments | FileCheck %s
// RUN: fusion-opt %s --allow-unregistered-dialect --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s --check-prefix=PLAN
// RUN: fusion-opt %s --allow-unregistered-dialect --fusion-to-segments --fusion-print-graph -o /dev/null 2>&1 | FileCheck %s --check-prefix=GRAPH

// RUN: fusion-opt %s --allow-unregistered-dialect --fusion-explain="a=%%2 b=%%5 function=loop schedulers=inner-persistent" -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: fusion of 'math.tanh' at {{.*}} (a) and 'arith.subf' at {{.*}} (b):
// EXPLAIN: inner-persistent accepts

// Lowering launches kernels from functions, counted loops and conditions.
// RUN: sed -n -e '/^func.func @branches(/,/^}/p' %s | not fusion-opt --fusion-to-gpu 2>&1 | FileCheck %s --check-prefix=KERNELS
// KERNELS: <stdin>:3:8: error: 'scf.while' op expected kernels in functions, 'scf.for' and 'scf.if' only, but its body has some
// KERNELS-NOT: error

// The segment of the body holds the constant, which canonicalization has put at the start
// of the function. A tensor is 64 128 4 = 32768 bytes: read and written by the kernel
// before the loop, and in the body.
// CHECK-LABEL: func.func @loop(
// CHECK: %[[E:.*]] = fusion.segment "pointwise"
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[E]])
// CHECK-NEXT: %[[S:.*]] = fusion.segment "inner-persistent" (%{{[^,]*}} = %[[A]] : tensor<64x128xf32>) -> (tensor<64x128xf32>) {
// CHECK: arith.constant dense<2.000000e+00>
// CHECK: fusion.yield
// CHECK: scf.yield %[[S]]
// PLAN-LABEL: plan of @loop: 2 segments, 2 launches, 1 operation outside segments
// PLAN: outside segments: scf.for
// PLAN-NEXT: moves 131072 bytes, 0 of them between segments
// GRAPH-LABEL: digraph "loop"
// GRAPH: segment 0: pointwise
// GRAPH: segment 1: inner-persistent
func.func @loop(%x: tensor<64x128xf32>, %n: index) -> tensor<64x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant dense<2.0> : tensor<64x128xf32>
  %x0 = math.exp %x : tensor<64x128xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x0) -> tensor<64x128xf32> {
    %e = math.tanh %a : tensor<64x128xf32>
    %s = fusion.reduce add %e dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
    %b = fusion.broadcast %s dims = [0] : tensor<64xf32> -> tensor<64x128xf32>
    %o = arith.subf %e, %b : tensor<64x128xf32>
    %p = arith.mulf %o, %k : tensor<64x128xf32>
    scf.yield %p : tensor<64x128xf32>
  }
  return %r : tensor<64x128xf32>
}

// Each branch, in a loop. What is computed before them is stored for the second.
// CHECK-LABEL: func.func @branches(
// CHECK: %[[E:.*]] = fusion.segment "pointwise"
// CHECK: scf.while
// CHECK: scf.condition
// CHECK: scf.if
// CHECK-NEXT: %[[S:.*]] = fusion.segment "pointwise"
// CHECK: scf.yield %[[S]]
// CHECK: } else {
// CHECK-NEXT: %[[T:.*]] = fusion.segment "inner-persistent" (
// CHECK: scf.yield %[[T]]
// PLAN-LABEL: plan of @branches: 3 segments, 3 launches, 2 operations outside segments
func.func @branches(%x: tensor<64x128xf32>, %c: i1) -> tensor<64x128xf32> {
  %e = math.exp %x : tensor<64x128xf32>
  %r = scf.while (%a = %x) : (tensor<64x128xf32>) -> tensor<64x128xf32> {
    scf.condition(%c) %a : tensor<64x128xf32>
  } do {
  ^bb0(%a: tensor<64x128xf32>):
    %v = scf.if %c -> tensor<64x128xf32> {
      %t = math.tanh %a : tensor<64x128xf32>
      scf.yield %t : tensor<64x128xf32>
    } else {
      %d = arith.subf %a, %e : tensor<64x128xf32>
      %s = fusion.reduce add %d dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
      %b = fusion.broadcast %s dims = [0] : tensor<64xf32> -> tensor<64x128xf32>
      %o = arith.mulf %d, %b : tensor<64x128xf32>
      scf.yield %o : tensor<64x128xf32>
    }
    scf.yield %v : tensor<64x128xf32>
  }
  return %r : tensor<64x128xf32>
}

// What a foreign operation's body means is not known.
// CHECK-LABEL: func.func @foreign_body(
// CHECK: %[[E:.*]] = fusion.segment "pointwise"
// CHECK: "foreign.op"(%[[E]]) ({
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: math.tanh
// PLAN-LABEL: plan of @foreign_body: 1 segment, 1 launch,
func.func @foreign_body(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %e = math.exp %x : tensor<64x128xf32>
  %r = "foreign.op"(%e) ({
  ^bb0(%a: tensor<64x128xf32>):
    %t = math.tanh %a : tensor<64x128xf32>
    "foreign.yield"(%t) : (tensor<64x128xf32>) -> ()
  }) : (tensor<64x128xf32>) -> tensor<64x128xf32>
  return %r : tensor<64x128xf32>
}

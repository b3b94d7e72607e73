// What no kernel takes: a matrix product, a foreign operation, an integer division.
// Up to segments they stay, and what stands around them is segmented.
// RUN: fusion-opt %s --allow-unregistered-dialect --fusion-to-segments | FileCheck %s
// RUN: fusion-opt %s --allow-unregistered-dialect --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s --check-prefix=PLAN

// Kernels and what launches them cannot hold them: errors at the operation, with the
// reason. Nothing is written.
// DEFINE: %{function} =
// DEFINE: %{only} = sed -n -e '/^func.func @%{function}(/,/^}/p' %s
// REDEFINE: %{function} = feed_forward
// RUN: rm -f %t.out
// RUN: %{only} | not fusion-opt --allow-unregistered-dialect --fusion-to-gpu -o %t.out 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: %{only} | not fusion-opt --allow-unregistered-dialect --fusion-to-ptx -o %t.out 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: not ls %t.out
// PRODUCT: <stdin>:10:8: error: 'linalg.matmul' op cannot be imported, and no kernel takes it
// PRODUCT: <stdin>:10:8: note: import: contraction: expected an operand that all loops walk through; a matrix product is left to a library
// PRODUCT-NOT: error
// REDEFINE: %{function} = foreign
// RUN: %{only} | not fusion-opt --allow-unregistered-dialect --fusion-to-gpu -o %t.out 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: not ls %t.out
// FOREIGN: <stdin>:3:8: error: 'foreign.op' op expected to be part of a kernel, or an operation that can stand between kernels
// FOREIGN-NOT: error
// REDEFINE: %{function} = division
// RUN: %{only} | not fusion-opt --fusion-to-gpu -o %t.out 2>&1 | FileCheck %s --check-prefix=DIVISION
// RUN: not ls %t.out
// RUN: %{only} | not fusion-runner - --device=sim --verify 2>&1 | FileCheck %s --check-prefix=DIVISION
// DIVISION: 6:8: error: 'arith.divsi' op is accepted by no scheduler
// DIVISION: note: pointwise: unsupported-operation: expected operations that are defined for all operands, but 'arith.divsi' is not: a divisor may be zero
// DIVISION-NOT: error
// REDEFINE: %{function} = product
// RUN: %{only} | not fusion-runner - --device=sim --verify 2>&1 | FileCheck %s --check-prefix=RUNNER
// RUNNER: 4:8: error: 'linalg.matmul' op cannot be imported, and no kernel takes it
// RUNNER: note: import: contraction:

// A row norm before the product: x is read and n written, 64 128 4 = 32768 bytes each.
// Behind it relu and the sums of its columns: the product, 64 256 4 = 65536 bytes, is
// read and relu, which the foreign operation needs, written, with 256 4 = 1024 bytes of
// sums. Behind that one a scale and a sum: 3 32768 + 128 4 = 98816.
// 65536 + 132096 + 98816 = 296448 bytes in three launches; nothing goes between two
// kernels.
// CHECK-LABEL: func.func @feed_forward(
// CHECK: %[[N:.*]] = fusion.segment "inner-persistent"
// CHECK: %[[H:.*]] = linalg.matmul ins(%[[N]],
// CHECK: %[[R:.*]]:2 = fusion.segment "outer-{{.*}}" ({{.*}} = %[[H]] :
// CHECK: %[[Y:.*]] = "foreign.op"(%[[R]]#0,
// CHECK: fusion.segment "pointwise" ({{.*}}%[[Y]] :
// PLAN-LABEL: plan of @feed_forward: 3 segments, 3 launches, 2 operations outside segments
// PLAN: outside segments: linalg.matmul
// PLAN-NEXT: outside segments: foreign.op
// PLAN-NEXT: moves 296448 bytes, 0 of them between segments
func.func @feed_forward(%x: tensor<64x128xf32>, %w: tensor<128x256xf32>, %w2: tensor<256x128xf32>, %g: tensor<128xf32>) -> (tensor<64x128xf32>, tensor<256xf32>) {
  %sq = arith.mulf %x, %x : tensor<64x128xf32>
  %s = fusion.reduce add %sq dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
  %r = math.rsqrt %s : tensor<64xf32>
  %rb = fusion.broadcast %r dims = [0] : tensor<64xf32> -> tensor<64x128xf32>
  %n = arith.mulf %x, %rb : tensor<64x128xf32>
  %e = tensor.empty() : tensor<64x256xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %h = linalg.matmul ins(%n, %w : tensor<64x128xf32>, tensor<128x256xf32>) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  %zero = arith.constant dense<0.0> : tensor<64x256xf32>
  %relu = arith.maximumf %h, %zero : tensor<64x256xf32>
  %cs = fusion.reduce add %relu dims = [0] : tensor<64x256xf32> -> tensor<256xf32>
  %y = "foreign.op"(%relu, %w2) {k = 3 : i32} : (tensor<64x256xf32>, tensor<256x128xf32>) -> tensor<64x128xf32>
  %gb = fusion.broadcast %g dims = [1] : tensor<128xf32> -> tensor<64x128xf32>
  %y2 = arith.mulf %y, %gb : tensor<64x128xf32>
  %o = arith.addf %y2, %x : tensor<64x128xf32>
  return %o, %cs : tensor<64x128xf32>, tensor<256xf32>
}

// CHECK-LABEL: func.func @product(
// CHECK: linalg.matmul
func.func @product(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = math.exp %x : tensor<8x8xf32>
  %i = arith.constant dense<0.0> : tensor<8x8xf32>
  %y = linalg.matmul ins(%e, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @foreign(
// CHECK: %[[E:.*]] = fusion.segment "pointwise"
// CHECK: "foreign.op"(%[[E]])
func.func @foreign(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = math.exp %x : tensor<8x8xf32>
  %y = "foreign.op"(%e) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// The division reads what one kernel writes, and another kernel reads what it gives.
// Its divisor is repeated for it alone.
// CHECK-LABEL: func.func @division(
// CHECK: %[[Q:.*]]:2 = fusion.segment
// CHECK: %[[B:.*]] = fusion.broadcast %[[Q]]#1
// CHECK: %[[D:.*]] = arith.divsi %[[Q]]#0, %[[B]]
// CHECK: fusion.segment "{{.*}}" ({{.*}} = %[[D]] :
// CHECK: return
// PLAN-LABEL: plan of @division: 2 segments, 2 launches, 2 operations outside segments
// PLAN: outside segments: fusion.broadcast
// PLAN-NEXT: outside segments: arith.divsi
func.func @division(%y: tensor<32x64xi64>) -> tensor<32x64xf64> {
  %q = arith.muli %y, %y : tensor<32x64xi64>
  %c = fusion.reduce maxsi %q dims = [0] : tensor<32x64xi64> -> tensor<64xi64>
  %m = arith.addi %c, %c : tensor<64xi64>
  %cb = fusion.broadcast %m dims = [1] : tensor<64xi64> -> tensor<32x64xi64>
  %d = arith.divsi %q, %cb : tensor<32x64xi64>
  %g = arith.sitofp %d : tensor<32x64xi64> to tensor<32x64xf64>
  %h = math.tanh %g : tensor<32x64xf64>
  return %h : tensor<32x64xf64>
}

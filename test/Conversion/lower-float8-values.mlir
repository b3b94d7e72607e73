// The lowered casts on every byte, and on every upper half of an f32 with lower
// halves at and beside ties: what the reference gives, bit for bit.
// RUN: fusion-opt %s --fusion-to-gpu -o %t.gpu.mlir
// RUN: fusion-opt %t.gpu.mlir --pass-pipeline='builtin.module(gpu.module(fusion-lower-float8))' -o %t.mlir
// RUN: FileCheck %s --check-prefix=LOWERED < %t.mlir
// RUN: fusion-runner %t.mlir --device=sim --verify --reference=%s | FileCheck %s

// LOWERED-NOT: {{extf|truncf}} {{.*}}f8

// CHECK: result 0: passed
// CHECK: result 1: passed
// CHECK: result 2: passed, relative L2 error 0
// CHECK: result 3: passed, relative L2 error 0
// CHECK: result 4: passed
func.func @f() -> (tensor<65536x4xi8>, tensor<65536x4xi8>, tensor<256xf32>, tensor<256xf64>, tensor<65536x4xi8>) {
  %i = fusion.iota : tensor<65536xi32>
  %j = fusion.iota : tensor<4xi32>
  %sixteen = arith.constant dense<16> : tensor<65536xi32>
  %upper = arith.shli %i, %sixteen : tensor<65536xi32>
  %a = fusion.broadcast %upper dims = [0] : tensor<65536xi32> -> tensor<65536x4xi32>
  // 0, 0x7fff, 0x8000 and 0x8001.
  %c7fff = arith.constant dense<32767> : tensor<4xi32>
  %one = arith.constant dense<1> : tensor<4xi32>
  %zero = arith.constant dense<0> : tensor<4xi32>
  %is_first = arith.cmpi eq, %j, %zero : tensor<4xi32>
  %before = arith.subi %j, %one : tensor<4xi32>
  %around = arith.addi %before, %c7fff : tensor<4xi32>
  %lower = arith.select %is_first, %zero, %around : tensor<4xi1>, tensor<4xi32>
  %b = fusion.broadcast %lower dims = [1] : tensor<4xi32> -> tensor<65536x4xi32>
  %bits = arith.ori %a, %b : tensor<65536x4xi32>
  %x = arith.bitcast %bits : tensor<65536x4xi32> to tensor<65536x4xf32>
  %e4 = arith.truncf %x : tensor<65536x4xf32> to tensor<65536x4xf8E4M3FN>
  %e5 = arith.truncf %x : tensor<65536x4xf32> to tensor<65536x4xf8E5M2>
  %r0 = arith.bitcast %e4 : tensor<65536x4xf8E4M3FN> to tensor<65536x4xi8>
  %r1 = arith.bitcast %e5 : tensor<65536x4xf8E5M2> to tensor<65536x4xi8>
  %k = fusion.iota : tensor<256xi8>
  %k4 = arith.bitcast %k : tensor<256xi8> to tensor<256xf8E4M3FN>
  %k5 = arith.bitcast %k : tensor<256xi8> to tensor<256xf8E5M2>
  %w4 = arith.extf %k4 : tensor<256xf8E4M3FN> to tensor<256xf32>
  %w5 = arith.extf %k5 : tensor<256xf8E5M2> to tensor<256xf64>
  // Far less than a unit in the last place of an f32 beside a tie.
  %tiny = arith.constant dense<1.0000000000000002> : tensor<65536x4xf64>
  %x64 = arith.extf %x : tensor<65536x4xf32> to tensor<65536x4xf64>
  %beside = arith.mulf %x64, %tiny : tensor<65536x4xf64>
  %e64 = arith.truncf %beside : tensor<65536x4xf64> to tensor<65536x4xf8E4M3FN>
  %r4 = arith.bitcast %e64 : tensor<65536x4xf8E4M3FN> to tensor<65536x4xi8>
  return %r0, %r1, %w4, %w5, %r4 : tensor<65536x4xi8>, tensor<65536x4xi8>, tensor<256xf32>, tensor<256xf64>, tensor<65536x4xi8>
}

// Dynamic shared memory becomes an external array; everything else stays.
// RUN: fusion-opt %s --pass-pipeline='builtin.module(gpu.module(fusion-externalize-shared))' | FileCheck %s

gpu.module @kernels {
  // CHECK: llvm.mlir.global external @dynamic() {addr_space = 3 : i32} : !llvm.array<0 x i8>
  llvm.mlir.global internal @dynamic() {addr_space = 3 : i32} : !llvm.array<0 x i8>
  // CHECK: llvm.mlir.global internal @static() {addr_space = 3 : i32} : !llvm.array<4 x i8>
  llvm.mlir.global internal @static() {addr_space = 3 : i32} : !llvm.array<4 x i8>
  // CHECK: llvm.mlir.global internal @elsewhere() {addr_space = 1 : i32} : !llvm.array<0 x i8>
  llvm.mlir.global internal @elsewhere() {addr_space = 1 : i32} : !llvm.array<0 x i8>
  // CHECK: llvm.mlir.global internal @scalar() {addr_space = 3 : i32} : i32
  llvm.mlir.global internal @scalar() {addr_space = 3 : i32} : i32
}

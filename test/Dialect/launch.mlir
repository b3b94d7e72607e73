// The launch operation: every mode and every optional part.
// RUN: fusion-opt %s -split-input-file | fusion-opt -split-input-file | FileCheck %s
// RUN: fusion-opt %s -split-input-file -mlir-print-op-generic | fusion-opt -split-input-file | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%x: memref<4xf32>, %n: index) kernel {
      gpu.return
    }
    gpu.func @none() kernel {
      gpu.return
    }
  }
  // CHECK-LABEL: func @modes
  // CHECK-SAME: (%[[X:.*]]: memref<4xf32>, %[[N:.*]]: index, %[[B:.*]]: i32)
  func.func @modes(%x: memref<4xf32>, %n: index, %bytes: i32) {
    // CHECK: fusion.launch_func plain @m::@none blocks in (%[[N]], %[[N]], %[[N]]) threads in (%[[N]], %[[N]], %[[N]]){{$}}
    fusion.launch_func plain @m::@none blocks in (%n, %n, %n) threads in (%n, %n, %n)
    // CHECK: fusion.launch_func cooperative @m::@k clusters in (%[[N]], %[[N]], %[[N]]) blocks in (%[[N]], %[[N]], %[[N]]) threads in (%[[N]], %[[N]], %[[N]]) dynamic_shared_memory_size %[[B]] args(%[[X]] : memref<4xf32>, %[[N]] : index) {note}
    fusion.launch_func cooperative @m::@k clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n) dynamic_shared_memory_size %bytes args(%x : memref<4xf32>, %n : index) {note}
    // CHECK: fusion.launch_func dependent @m::@k blocks in
    fusion.launch_func dependent @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%x : memref<4xf32>, %n : index)
    return
  }
}

// -----

// A kernel of a binary: its parameters are the driver's to know.
gpu.binary @m [#gpu.object<#nvvm.target, assembly = "ptx">]
// CHECK-LABEL: func @binary
func.func @binary(%n: index) {
  // CHECK: fusion.launch_func dependent @m::@k
  fusion.launch_func dependent @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}

// -----

// One that conversion has made an LLVM function.
gpu.module @m {
  llvm.func @k(%x: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}
// CHECK-LABEL: func @converted
func.func @converted(%x: memref<4xf32>, %n: index) {
  // CHECK: fusion.launch_func cooperative @m::@k
  fusion.launch_func cooperative @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%x : memref<4xf32>)
  return
}

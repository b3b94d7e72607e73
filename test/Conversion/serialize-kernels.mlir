// Kernels become PTX. Without a CUDA Toolkit nothing is said of it: what needs
// libdevice stays external, and the rest needs nothing.
// RUN: env CUDA_ROOT=%t/none CUDA_HOME=%t/none fusion-opt %s --fusion-serialize-kernels=toolkit=%t/none > %t.mlir 2> %t.log
// RUN: FileCheck %s < %t.mlir
// RUN: count 0 < %t.log
// RUN: mkdir -p %t/empty
// RUN: env CUDA_ROOT=%t/empty CUDA_HOME=%t/empty fusion-opt %s --fusion-serialize-kernels=toolkit=%t/empty > %t.mlir 2> %t.log
// RUN: FileCheck %s < %t.mlir
// RUN: count 0 < %t.log
// RUN: not fusion-opt %s --fusion-serialize-kernels=format=fatbin 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: error: expected the format isa or bin, but got 'fatbin'

// CHECK: gpu.binary @twice
// CHECK-SAME: .target sm_90
// CHECK-SAME: .visible .entry twice
// CHECK-SAME: add.rn.f32
gpu.module @twice [#nvvm.target<chip = "sm_90", features = "+ptx80">] {
  llvm.func @twice(%p: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    %w = llvm.fadd %v, %v : f32
    llvm.store %w, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK: gpu.binary @exponential
// CHECK-SAME: .extern .func {{.*}}__nv_expf
gpu.module @exponential [#nvvm.target<chip = "sm_90", features = "+ptx80">] {
  llvm.func @__nv_expf(f32) -> f32
  llvm.func @exponential(%p: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    %w = llvm.call @__nv_expf(%v) : (f32) -> f32
    llvm.store %w, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}

// The tool can translate a kernel to PTX by itself, without a CUDA toolkit.
// RUN: fusion-opt %s --gpu-module-to-binary=format=isa | FileCheck %s

// CHECK: gpu.binary @kernels
// CHECK-SAME: .target sm_90
// CHECK-SAME: .visible .entry twice
// CHECK-SAME: add.rn.f32
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90", features = "+ptx80">] {
    llvm.func @twice(%p: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %q = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %v = llvm.load %q : !llvm.ptr<1> -> f32
      %w = llvm.fadd %v, %v : f32
      llvm.store %w, %q : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}

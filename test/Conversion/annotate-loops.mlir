// What a scheduler says about a loop arrives in PTX: the loop stays as it is.
// RUN: fusion-opt %s -pass-pipeline='builtin.module(gpu.module(convert-scf-to-cf,convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=1},fusion-annotate-loops))' | FileCheck %s

#unroll = #llvm.loop_unroll<disable = true>
#annotation = #llvm.loop_annotation<unroll = #unroll>

// CHECK: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[ANNOTATION:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>
// CHECK-LABEL: llvm.func @kernel
// CHECK: llvm.br ^bb1
// CHECK-NOT: loop_annotation
// CHECK: llvm.cond_br
// CHECK: llvm.br ^bb1(%{{.*}}) {loop_annotation = #[[ANNOTATION]]}
gpu.module @module {
  gpu.func @kernel(%a: memref<1024xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %v = memref.load %a[%i] : memref<1024xf32>
      %t = arith.addf %v, %v : f32
      memref.store %t, %a[%i] : memref<1024xf32>
    } {llvm.loop_annotation = #annotation}
    gpu.return
  }
}

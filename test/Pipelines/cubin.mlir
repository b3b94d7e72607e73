// format=bin assembles in the compiler; a launch then needs no driver compiler.
// REQUIRES: ptxas, libdevice
// RUN: fusion-opt %s --fusion-to-ptx=format=bin | FileCheck %s
// CHECK: gpu.binary @sums_0 [#gpu.object<#nvvm.target<{{.*}}, bin = "\7FELF
func.func @sums(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
  return %r, %c : tensor<64xf32>, tensor<128xf32>
}

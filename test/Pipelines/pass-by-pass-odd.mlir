// The same for a program with tails, two levels and a math function, whose text
// has more to lose.
// REQUIRES: libdevice
// RUN: %{python} %S/Inputs/pass-by-pass.py %s --fusion-to-ptx | FileCheck %s
// CHECK: {{[2-9][0-9]}} passes
func.func @softmax_like(%x: tensor<33x197xf32>, %g: tensor<197xbf16>) -> (tensor<33x197xf32>, tensor<197xbf16>) {
  %m = fusion.reduce maximumf %x dims = [1] : tensor<33x197xf32> -> tensor<33xf32>
  %mb = fusion.broadcast %m dims = [0] : tensor<33xf32> -> tensor<33x197xf32>
  %c = arith.subf %x, %mb : tensor<33x197xf32>
  %e = math.exp %c : tensor<33x197xf32>
  %s = fusion.reduce add %e dims = [1] : tensor<33x197xf32> -> tensor<33xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<33xf32> -> tensor<33x197xf32>
  %p = arith.divf %e, %sb : tensor<33x197xf32>
  %t = fusion.reduce add %p dims = [0] : tensor<33x197xf32> -> tensor<197xf32>
  %gf = arith.extf %g : tensor<197xbf16> to tensor<197xf32>
  %u = arith.mulf %t, %gf : tensor<197xf32>
  %v = arith.truncf %u : tensor<197xf32> to tensor<197xbf16>
  return %p, %v : tensor<33x197xf32>, tensor<197xbf16>
}

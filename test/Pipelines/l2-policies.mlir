// Policies of L2 are part of the pipeline, and an option leaves them out.
// RUN: fusion-opt %s --fusion-to-ptx | FileCheck %s --check-prefix=ON
// RUN: fusion-opt %s --fusion-to-ptx=l2-policies=false | FileCheck %s --check-prefix=OFF
// RUN: fusion-opt %s --fusion-to-ptx="chip=sm_80 l2-policies=false" | FileCheck %s --check-prefix=SM80

// ON: createpolicy.fractional.L2::evict_last
// OFF: .visible .entry
// OFF-NOT: L2::
// Nothing asks for the version of PTX that has policies.
// SM80: features = "+ptx70"
func.func @add(%x: tensor<16384x8192xbf16>, %y: tensor<16384x8192xbf16>) -> tensor<16384x8192xbf16> {
  %s = arith.addf %x, %y : tensor<16384x8192xbf16>
  return %s : tensor<16384x8192xbf16>
}

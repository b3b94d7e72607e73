// All phases: each gpu.module becomes a gpu.binary that names its target.
// RUN: fusion-opt %s --fusion-to-ptx=plain-launches | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: fusion-opt %s --fusion-to-ptx="chip=sm_80 plain-launches" | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: fusion-opt %s --fusion-to-ptx="chip=sm_100 plain-launches" | FileCheck %s --check-prefixes=CHECK,SM100
// RUN: fusion-opt %s --fusion-to-ptx=plain-launches | fusion-opt | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: not fusion-opt %s --fusion-to-ptx=chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not fusion-opt %s --fusion-to-ptx=format=text 2>&1 | FileCheck %s --check-prefix=FORMAT

// CHIP: error: expected a chip among {{.*}}, but got 'sm_1'
// FORMAT: Cannot find option named 'text'

// CHECK: gpu.binary @sums_0
// SM90-SAME: #nvvm.target<O = 3, chip = "sm_90", features = "+ptx{{78|80}}">
// SM80-SAME: #nvvm.target<O = 3, chip = "sm_80", features = "+ptx70">
// SM100-SAME: #nvvm.target<O = 3, chip = "sm_100", features = "+ptx86">
// SM90-SAME: .version {{7.8|8.0}}
// SM80-SAME: .version 7.0
// SM100-SAME: .version 8.6
// CHECK-SAME: .visible .entry sums_0_rows(
// CHECK-SAME: .visible .entry sums_0_finish(
// CHECK-LABEL: func.func @sums(
// CHECK: gpu.launch_func @sums_0::@sums_0_rows
// CHECK: gpu.launch_func @sums_0::@sums_0_finish
func.func @sums(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<64x128xf32> -> tensor<64xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
  return %r, %c : tensor<64xf32>, tensor<128xf32>
}

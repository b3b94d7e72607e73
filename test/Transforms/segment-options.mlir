// An unknown chip or device, or a device of another chip, is an error that lists
// what is known.
// RUN: fusion-opt %s --fusion-segment="chip=sm_80 device=a100" | FileCheck %s
// RUN: not fusion-opt %s --fusion-segment=chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not fusion-opt %s --fusion-segment=device=h300 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not fusion-opt %s --fusion-segment="chip=sm_80 device=h200" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not fusion-opt %s --fusion-segment=no-such-option 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: fusion-opt %s --fusion-segment=schedulers=inner-outer-persistent | FileCheck %s
// RUN: not fusion-opt %s --fusion-segment="schedulers=inner-outer-persistent,no-such" 2>&1 | FileCheck %s --check-prefix=SCHEDULER

// CHECK: fusion.segment
// CHIP: error: expected a chip among sm_80, {{.*}}sm_120, but got 'sm_1'
// CHIP-NOT: error:
// DEVICE: error: expected a device among a100, {{.*}}rtxpro6000, but got 'h300'
// OTHER: error: expected a device of chip 'sm_80', but 'h200' has chip 'sm_90'
// SCHEDULER: error: expected a registered scheduler, but got 'no-such'
// OPTION: no such option no-such-option
func.func @f(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %r, %c : tensor<4xf32>, tensor<8xf32>
}

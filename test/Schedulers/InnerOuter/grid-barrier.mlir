// A block releases its partial results before it comes to the barrier of the
// grid. LLVM selects a relaxed atom.add for an acq_rel addition too, so a fence
// stands before it; the load that waits acquires.
// RUN: fusion-opt %s --fusion-to-ptx=chip=sm_90 | %{python} %S/../../Inputs/extract-ptx.py | FileCheck %s
// RUN: fusion-opt %s --fusion-to-ptx=chip=sm_80 | %{python} %S/../../Inputs/extract-ptx.py | FileCheck %s
// RUN: fusion-runner %s --device=sim --verify --repeat-check=2 | FileCheck %s --check-prefix=VALUES

// CHECK: st.global
// CHECK: bar.sync 0
// CHECK: fence.acq_rel.gpu;
// CHECK-NOT: bar.sync
// CHECK: atom.add.u32
// CHECK-NOT: bar.sync
// CHECK: ld.acquire.gpu.b32
// CHECK: bar.sync 0
// CHECK: ld.global

// VALUES: result 0: passed
// VALUES: result 1: passed
// VALUES: 2 runs are bitwise equal
func.func @sums(%x: tensor<2053x256xf32>) -> (tensor<2053x256xf32>, tensor<256xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<2053x256xf32> -> tensor<2053xf32>
  %b = fusion.broadcast %r dims = [0] : tensor<2053xf32> -> tensor<2053x256xf32>
  %y = arith.mulf %x, %b : tensor<2053x256xf32>
  %c = fusion.reduce add %y dims = [0] : tensor<2053x256xf32> -> tensor<256xf32>
  return %y, %c : tensor<2053x256xf32>, tensor<256xf32>
}

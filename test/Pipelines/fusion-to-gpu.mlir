// All phases through lower: kernels, and a host function on memrefs.
// RUN: fusion-opt %s --fusion-to-gpu=plain-launches | FileCheck %s
// RUN: fusion-opt %s --fusion-to-gpu | FileCheck %s --check-prefix=GRID
// RUN: fusion-opt %s --fusion-to-gpu="chip=sm_80 plain-launches" | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: fusion-opt %s --fusion-to-gpu="chip=sm_90 device=h100" -o /dev/null
// RUN: not fusion-opt %s --fusion-to-gpu=chip=sm_80a 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not fusion-opt %s --fusion-to-gpu="chip=sm_90 device=a100" 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: fusion-opt %s --fusion-to-gpu --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=PASSES
// RUN: fusion-opt %s --fusion-to-gpu=plain-launches --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=PLAIN

// CHIP: error: expected a chip among {{.*}}, but got 'sm_80a'
// DEVICE: error: expected a device of chip 'sm_90', but 'a100' has chip 'sm_80'

// PLAIN: fusion-segment{{.*}} plain-launches=true
// PLAIN: fusion-schedule{{.*}} plain-launches=true
// PLAIN: fusion-lower-segments{{.*}} plain-launches=true

// PASSES: convert-linalg-to-fusion{refuse-unimported=true}
// PASSES-NEXT: fusion-preempt-folders
// PASSES-NEXT: canonicalize
// PASSES-NEXT: fusion-refine-extents
// PASSES-NEXT: fusion-simplify
// PASSES-NEXT: cse
// PASSES-NEXT: fusion-preempt-folders
// PASSES-NEXT: canonicalize
// PASSES-NEXT: fusion-reorder-reductions{contested=mark dynamic-extent=1024 remarks=true}
// PASSES-NEXT: fusion-decide-contested{chip=
// PASSES-NEXT: cse
// PASSES-NEXT: fusion-split-reductions
// PASSES-NEXT: fusion-verify-algebra
// PASSES-NEXT: fusion-preempt-folders
// PASSES-NEXT: canonicalize{
// PASSES-NEXT: fusion-separate-loops
// PASSES-NEXT: fusion-segment{chip=sm_90 device={{.*}}refuse-unscheduled=true{{.*}}}
// PASSES-NEXT: fusion-verify-segmented
// PASSES-NEXT: fusion-schedule{chip=sm_90 device= plain-launches=false}
// PASSES-NEXT: fusion-verify-scheduled
// PASSES-NEXT: fusion-lower-segments{chip=sm_90 device= plain-launches=false}
// PASSES-NEXT: one-shot-bufferize{{.*}}bufferize-function-boundaries=true{{.*}}function-boundary-type-conversion=identity-layout-map
// PASSES-NEXT: canonicalize
// PASSES-NEXT: cse
// PASSES-NEXT: fusion-free-in-loops
// PASSES-NEXT: )

// CHECK: module attributes {gpu.container_module}
// CHECK: gpu.module @sums_0 {
// CHECK-NOT: tensor<
// CHECK: gpu.func @sums_0_rows(
// CHECK: gpu.func @sums_0_finish(
// CHECK-LABEL: func.func @sums(
// CHECK-SAME: %[[X:.*]]: memref<2048x1024xf32>) -> (memref<2048xf32>, memref<1024xf32>)
// CHECK: cf.assert
// CHECK: %[[R:.*]] = memref.alloc() {{.*}}: memref<2048xf32>
// CHECK: %[[C:.*]] = memref.alloc() {{.*}}: memref<1024xf32>
// CHECK: %[[W:.*]] = memref.alloc() {{.*}}: memref<{{[0-9]+}}x1024xf32>
// CHECK: gpu.launch_func @sums_0::@sums_0_rows
// CHECK: gpu.launch_func @sums_0::@sums_0_finish
// CHECK: memref.dealloc %[[W]]
// CHECK-NOT: memref.copy
// CHECK: return %[[R]], %[[C]]
// SM80-NOT: mbarrier

// One kernel, whose blocks meet before it finishes.
// GRID: gpu.func @sums_0_rows(
// GRID-NOT: gpu.func
// GRID: fusion.launch_func cooperative @sums_0::@sums_0_rows
func.func @sums(%x: tensor<2048x1024xf32>) -> (tensor<2048xf32>, tensor<1024xf32>) {
  // Equal operations become one before segmentation, and dead ones vanish.
  %dead = math.exp %x : tensor<2048x1024xf32>
  %r = fusion.reduce add %x dims = [1] : tensor<2048x1024xf32> -> tensor<2048xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<2048x1024xf32> -> tensor<1024xf32>
  return %r, %c : tensor<2048xf32>, tensor<1024xf32>
}

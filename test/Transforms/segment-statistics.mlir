// Each fact is computed once, and equal parts of a program are asked about once.
// RUN: fusion-opt %s --fusion-segment="print-statistics schedulers=inner-outer-persistent" -o /dev/null 2>&1 | FileCheck %s
// RUN: fusion-opt %s --fusion-segment --mlir-timing -o /dev/null 2>&1 | FileCheck %s --check-prefix=TIMING

// CHECK: fusion-segment
// CHECK-NEXT: 2 segments
// CHECK-NEXT: 0 outside
// CHECK-NEXT: 1 dim-classes
// CHECK-NEXT: 2 graphs
// CHECK: [[ASKED:[0-9]+]] candidates
// CHECK-NEXT: {{[1-9][0-9]*}} remembered
// CHECK-NEXT: 1 matches
// CHECK-NEXT: {{[0-9]+}} facts-us
// CHECK-NEXT: {{[0-9]+}} match-us
// CHECK-NEXT: {{[0-9]+}} search-us
// CHECK-NEXT: inner-outer-persistent: 1 matches, 1 accepted, {{[0-9]+}} us

// TIMING-DAG: (A) {{.*}}DimClasses
// TIMING-DAG: (A) SegmentGraph
// TIMING-DAG: (A) match: inner-outer-persistent
func.func @f(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %r, %c : tensor<4xf32>, tensor<8xf32>
}

func.func @g(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %r, %c : tensor<4xf32>, tensor<8xf32>
}

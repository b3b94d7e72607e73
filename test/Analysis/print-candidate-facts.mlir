// RUN: fusion-opt %s --fusion-print-reduction-levels -o /dev/null | FileCheck %s --check-prefix=LEVELS --match-full-lines
// RUN: fusion-opt %s --fusion-print-footprint -o /dev/null | FileCheck %s --check-prefix=FOOTPRINT --match-full-lines
// RUN: fusion-opt %s --fusion-print-traffic -o /dev/null | FileCheck %s --check-prefix=TRAFFIC --match-full-lines
// RUN: fusion-opt %s --fusion-segment --fusion-print-footprint --fusion-print-traffic --fusion-print-reduction-levels -o /dev/null | FileCheck %s --check-prefix=SEGMENTS

// LEVELS: reduction levels of @softmax_of_transposed
// LEVELS-NEXT:   %0: level 1, reduces [1] of [0, 1] at level 0, signature 0
// LEVELS-NEXT:   %1: level 1
// LEVELS-NEXT:   %2: level 1
// LEVELS-NEXT:   %3: level 1
// LEVELS-NEXT:   %4: level 1
// LEVELS-NEXT:   %5: level 2, reduces [1] of [0, 1] at level 1, signature 0
// LEVELS-NEXT:   %6: level 2
// LEVELS-NEXT:   %7: level 2
// LEVELS-NEXT: reduction levels of @gradient
// LEVELS-NEXT:   %0: level 0
// LEVELS-NEXT:   %1: level 0
// LEVELS-NEXT:   %2: level 0
// LEVELS-NEXT:   %3: level 1, reduces [3] of [2, 3] at level 0, signature 1
// LEVELS-NEXT:   %4: level 1, reduces [2] of [2, 3] at level 0, signature 2
// LEVELS-NEXT:   %5: level 1
// LEVELS-NEXT:   %6: level 0
// LEVELS-NEXT:   %7: level 0
// LEVELS-NEXT:   %8: level 1
// LEVELS-NEXT:   %9: level 1
// LEVELS-NEXT:   %10: level 1
// LEVELS-NEXT: reduction levels of @unit
// LEVELS-NEXT:   %0: level 0
// LEVELS-NEXT:   %1: level 0
// LEVELS-NEXT: reduction levels of @regrouped
// LEVELS-NEXT:   %collapsed: level 0
// LEVELS-NEXT:   %0: level 0
// LEVELS-NEXT:   %expanded: level 0
// LEVELS-NEXT:   %1: level 0
// LEVELS-NEXT: reduction levels of @external

// FOOTPRINT: footprint of @softmax_of_transposed
// FOOTPRINT-NEXT: row: loops {0}
// FOOTPRINT-NEXT: element %arg0 waits from level 0 to level 1
// FOOTPRINT-NEXT: element %3 waits from level 1 to level 2
// FOOTPRINT-NEXT: elements of a row: 4 bytes x 64 = 256
// FOOTPRINT-NEXT: projected to %arg0, 2 operations again: 4 bytes x 64 = 256
// FOOTPRINT-NEXT: totals of a row: 0 bytes
// FOOTPRINT-NEXT: partial results of all columns: 0 bytes
// FOOTPRINT-NEXT: shared by all rows: 0 bytes
// FOOTPRINT-NEXT: footprint of @gradient
// FOOTPRINT-NEXT: row: loops {1}
// FOOTPRINT-NEXT: element %2 waits from level 0 to level 1
// FOOTPRINT-NEXT: elements of a row: 4 bytes x 4096 = 16384
// FOOTPRINT-NEXT: projected to %arg0 %arg1, 3 operations again: 4 bytes x 4096 = 16384
// FOOTPRINT-NEXT: totals of a row: 0 bytes
// FOOTPRINT-NEXT: partial results of all columns: 4 bytes x 4096 = 16384
// FOOTPRINT-NEXT: shared by all rows: %arg2, 2 bytes x 4096 = 8192
// FOOTPRINT-NEXT: footprint of @unit
// FOOTPRINT-NEXT: row: loops {}
// FOOTPRINT-NEXT: elements of a row: 0 bytes
// FOOTPRINT-NEXT: totals of a row: 0 bytes
// FOOTPRINT-NEXT: partial results of all columns: 0 bytes
// FOOTPRINT-NEXT: shared by all rows: 0 bytes
// FOOTPRINT-NEXT: footprint of @regrouped
// FOOTPRINT-NEXT: none: unsupported-shape: expected a reshape that groups dimensions in one way only, but another reshape groups them differently

// TRAFFIC: traffic of @softmax_of_transposed
// TRAFFIC-NEXT: inputs: 4096
// TRAFFIC-NEXT: outputs: 4096
// TRAFFIC-NEXT: traffic of @gradient
// TRAFFIC-NEXT: inputs: 16384 x extent(2) + 8192
// TRAFFIC-NEXT: outputs: 8192 x extent(2) + 16384
// TRAFFIC-NEXT: traffic of @unit
// TRAFFIC-NEXT: inputs: 64
// TRAFFIC-NEXT: outputs: 64
// TRAFFIC-NEXT: traffic of @regrouped
// TRAFFIC-NEXT: inputs: 96
// TRAFFIC-NEXT: outputs: 192

// Where there are segments, each has its own facts; levels go through them.
// SEGMENTS: footprint of @softmax_of_transposed
// SEGMENTS-NEXT: segment "inner-persistent"
// SEGMENTS-NEXT: row: loops {0}
// SEGMENTS-NEXT: element %arg1 waits from level 0 to level 1
// SEGMENTS: traffic of @gradient
// SEGMENTS-NEXT: segment "inner-outer-persistent"
// SEGMENTS-NEXT: inputs: 16384 x extent(2) + 8192
// SEGMENTS-NEXT: outputs: 8192 x extent(2) + 16384
// SEGMENTS-NEXT: workspace and what is read again: {{[1-9][0-9]*$}}
// SEGMENTS: reduction levels of @softmax_of_transposed
// SEGMENTS-NEXT: %0: level 2
// SEGMENTS-NEXT: %1: level 1, reduces [1] of [0, 1] at level 0, signature 0

// Three levels; a transpose between reductions of one signature.
func.func @softmax_of_transposed(%x: tensor<16x64xf32>) -> tensor<64x16xf32> {
  %m = fusion.reduce maximumf %x dims = [1] : tensor<16x64xf32> -> tensor<16xf32>
  %mb = fusion.broadcast %m dims = [0] : tensor<16xf32> -> tensor<16x64xf32>
  %d = arith.subf %x, %mb : tensor<16x64xf32>
  %e = math.exp %d : tensor<16x64xf32>
  %t = fusion.transpose %e permutation = [1, 0] : tensor<16x64xf32> -> tensor<64x16xf32>
  %s = fusion.reduce add %t dims = [0] : tensor<64x16xf32> -> tensor<16xf32>
  %sb = fusion.broadcast %s dims = [1] : tensor<16xf32> -> tensor<64x16xf32>
  %y = arith.divf %t, %sb : tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// A gradient of rows: weights are shared, the gradient of a bias has partial results.
func.func @gradient(%x: tensor<?x4096xbf16>, %dy: tensor<?x4096xbf16>, %w: tensor<4096xbf16>) -> (tensor<?x4096xbf16>, tensor<4096xf32>) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x4096xbf16>
  %xf = arith.extf %x : tensor<?x4096xbf16> to tensor<?x4096xf32>
  %dyf = arith.extf %dy : tensor<?x4096xbf16> to tensor<?x4096xf32>
  %p = arith.mulf %xf, %dyf : tensor<?x4096xf32>
  %s = fusion.reduce add %p dims = [1] : tensor<?x4096xf32> -> tensor<?xf32>
  %c = fusion.reduce add %p dims = [0] : tensor<?x4096xf32> -> tensor<4096xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<?xf32> -> tensor<?x4096xf32>
  %wf = arith.extf %w : tensor<4096xbf16> to tensor<4096xf32>
  %wb = fusion.broadcast %wf [%d] dims = [1] : tensor<4096xf32> -> tensor<?x4096xf32>
  %q = arith.mulf %p, %sb : tensor<?x4096xf32>
  %q2 = arith.mulf %q, %wb : tensor<?x4096xf32>
  %y = arith.truncf %q2 : tensor<?x4096xf32> to tensor<?x4096xbf16>
  return %y, %c : tensor<?x4096xbf16>, tensor<4096xf32>
}

// A sum over extents of 1 is no reduction.
func.func @unit(%x: tensor<16x1xf32>) -> tensor<16xf32> {
  %s = fusion.reduce add %x dims = [1] : tensor<16x1xf32> -> tensor<16xf32>
  %y = arith.negf %s : tensor<16xf32>
  return %y : tensor<16xf32>
}

// No iteration space: a reshape that regroups elements.
func.func @regrouped(%x: tensor<6x4xf32>) -> (tensor<24xf32>, tensor<8x3xf32>) {
  %f = tensor.collapse_shape %x [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  %n = arith.negf %f : tensor<24xf32>
  %e = tensor.expand_shape %n [[0, 1]] output_shape [8, 3] : tensor<24xf32> into tensor<8x3xf32>
  %y = math.exp %e : tensor<8x3xf32>
  return %n, %y : tensor<24xf32>, tensor<8x3xf32>
}

func.func private @external(tensor<4xf32>)

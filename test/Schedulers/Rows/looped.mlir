// Rows that do not fit on chip are walked once for each level that needs them;
// schedules by hand force it on short ones.
//
// DEFINE: %{function} =
// DEFINE: %{run} = fusion-runner %s --function=%{function} --device=sim --verify
//
// REDEFINE: %{function} = softmax
// RUN: %{run}
// REDEFINE: %{function} = one_step
// RUN: %{run}
// REDEFINE: %{function} = two_columns
// RUN: %{run}
// RUN: fusion-opt %s --fusion-lower-segments | FileCheck %s

// Three walks over 500 tiles: 7 steps of 64 and a last one of 52.
// CHECK-LABEL: gpu.func @softmax_0_rows
// CHECK-COUNT-3: scf.for
// CHECK-NOT: scf.for
func.func @softmax(%x: tensor<3x2000xf32>) -> tensor<3x2000xf32> {
  %0 = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 3, threads = 32, groups = 1, rows = 1, width = 4, vectors = 2, traversal = looped, occupancy = 1, shared_bytes = 0>
      (%a = %x : tensor<3x2000xf32>) -> (tensor<3x2000xf32>) {
    %m = fusion.reduce maximumf %a dims = [1] : tensor<3x2000xf32> -> tensor<3xf32>
    %mb = fusion.broadcast %m dims = [0] : tensor<3xf32> -> tensor<3x2000xf32>
    %d = arith.subf %a, %mb : tensor<3x2000xf32>
    %e = math.exp %d : tensor<3x2000xf32>
    %s = fusion.reduce add %e dims = [1] : tensor<3x2000xf32> -> tensor<3xf32>
    %sb = fusion.broadcast %s dims = [0] : tensor<3xf32> -> tensor<3x2000xf32>
    %y = arith.divf %e, %sb : tensor<3x2000xf32>
    fusion.yield %y : tensor<3x2000xf32>
  }
  return %0 : tensor<3x2000xf32>
}

// No whole step: no loop.
// CHECK-LABEL: gpu.func @one_step_0_rows
// CHECK-NOT: scf.for
func.func @one_step(%x: tensor<5x301xbf16>) -> tensor<5xf32> {
  %0 = fusion.segment "inner-reduction" schedule = #fusion.rows<kind = inner_reduction, blocks = 3, threads = 128, groups = 2, rows = 1, width = 1, vectors = 5, traversal = looped, occupancy = 1, shared_bytes = 16>
      (%a = %x : tensor<5x301xbf16>) -> (tensor<5xf32>) {
    %f = arith.extf %a : tensor<5x301xbf16> to tensor<5x301xf32>
    %s = fusion.reduce add %f dims = [1] : tensor<5x301xf32> -> tensor<5xf32>
    fusion.yield %s : tensor<5xf32>
  }
  return %0 : tensor<5xf32>
}

// Each set of columns has its own loop, whole steps only.
// CHECK-LABEL: gpu.func @two_columns_0_rows
// CHECK-COUNT-2: scf.for
func.func @two_columns(%x: tensor<3x1024xf32>, %b: tensor<3x512xf32>) -> tensor<3x512xf32> {
  %0 = fusion.segment "inner-reduction" schedule = #fusion.rows<kind = inner_reduction, blocks = 3, threads = 64, groups = 1, rows = 1, width = 4, vectors = 1, traversal = looped, occupancy = 1, shared_bytes = 16>
      (%a = %x : tensor<3x1024xf32>, %c = %b : tensor<3x512xf32>) -> (tensor<3x512xf32>) {
    %s = fusion.reduce add %a dims = [1] : tensor<3x1024xf32> -> tensor<3xf32>
    %sb = fusion.broadcast %s dims = [0] : tensor<3xf32> -> tensor<3x512xf32>
    %y = arith.mulf %sb, %c : tensor<3x512xf32>
    fusion.yield %y : tensor<3x512xf32>
  }
  return %0 : tensor<3x512xf32>
}

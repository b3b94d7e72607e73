// How the parts of a row are reduced, by schedules written by hand.
//
// DEFINE: %{function} =
// DEFINE: %{run} = fusion-runner %s --function=%{function} --device=sim --verify
//
// REDEFINE: %{function} = rows_of_a_warp
// RUN: %{run}
// REDEFINE: %{function} = two_rows_a_thread
// RUN: %{run}
// REDEFINE: %{function} = slots_of_rows
// RUN: %{run}
// REDEFINE: %{function} = looped
// RUN: %{run}
// REDEFINE: %{function} = cluster
// RUN: %{run}
// REDEFINE: %{function} = wide
// RUN: %{run}
// REDEFINE: %{function} = narrow
// RUN: %{run}
// RUN: fusion-opt %s --fusion-lower-segments | FileCheck %s

// 16 lanes have a row, 4 of them a part: 4 shuffles, then 2.
// CHECK-LABEL: gpu.func @rows_of_a_warp_0_rows
// CHECK-COUNT-6: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
func.func @rows_of_a_warp(%x: tensor<37x4x16xf32>) -> (tensor<37x4x16xf32>, tensor<37x4xf32>) {
  %0:2 = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 5, threads = 128, groups = 8, rows = 1, width = 4, vectors = 1, traversal = resident, occupancy = 1, shared_bytes = 0>
      (%a = %x : tensor<37x4x16xf32>) -> (tensor<37x4x16xf32>, tensor<37x4xf32>) {
    %s = fusion.reduce add %a dims = [1, 2] : tensor<37x4x16xf32> -> tensor<37xf32>
    %sb = fusion.broadcast %s dims = [0] : tensor<37xf32> -> tensor<37x4x16xf32>
    %d = arith.subf %a, %sb : tensor<37x4x16xf32>
    %m = fusion.reduce maximumf %d dims = [2] : tensor<37x4x16xf32> -> tensor<37x4xf32>
    %mb = fusion.broadcast %m dims = [0, 1] : tensor<37x4xf32> -> tensor<37x4x16xf32>
    %y = arith.divf %d, %mb : tensor<37x4x16xf32>
    fusion.yield %y, %m : tensor<37x4x16xf32>, tensor<37x4xf32>
  }
  return %0#0, %0#1 : tensor<37x4x16xf32>, tensor<37x4xf32>
}

// A row has 16 lanes with 3 tiles each: for each of 2 rows 4 shuffles, and for
// each of its tiles 3.
// CHECK-LABEL: gpu.func @two_rows_a_thread_0_rows
// CHECK-COUNT-26: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
func.func @two_rows_a_thread(%x: tensor<7x6x32xf32>) -> (tensor<7x6x32xf32>, tensor<7x6xf32>) {
  %0:2 = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 1, threads = 64, groups = 4, rows = 2, width = 4, vectors = 3, traversal = resident, occupancy = 1, shared_bytes = 0>
      (%a = %x : tensor<7x6x32xf32>) -> (tensor<7x6x32xf32>, tensor<7x6xf32>) {
    %s = fusion.reduce add %a dims = [1, 2] : tensor<7x6x32xf32> -> tensor<7xf32>
    %sb = fusion.broadcast %s dims = [0] : tensor<7xf32> -> tensor<7x6x32xf32>
    %d = arith.subf %a, %sb : tensor<7x6x32xf32>
    %m = fusion.reduce maximumf %d dims = [2] : tensor<7x6x32xf32> -> tensor<7x6xf32>
    %mb = fusion.broadcast %m dims = [0, 1] : tensor<7x6xf32> -> tensor<7x6x32xf32>
    %y = arith.divf %d, %mb : tensor<7x6x32xf32>
    fusion.yield %y, %m : tensor<7x6x32xf32>, tensor<7x6xf32>
  }
  return %0#0, %0#1 : tensor<7x6x32xf32>, tensor<7x6xf32>
}

// 6 lanes have a part: 2 and 2 of them share a slot.
// CHECK-LABEL: gpu.func @slots_of_rows_0_rows
// CHECK-COUNT-14: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
func.func @slots_of_rows(%x: tensor<7x8x24xf32>) -> (tensor<7x8x24xf32>, tensor<7x8xf32>) {
  %0:2 = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 1, threads = 64, groups = 4, rows = 2, width = 4, vectors = 3, traversal = resident, occupancy = 1, shared_bytes = 768>
      (%a = %x : tensor<7x8x24xf32>) -> (tensor<7x8x24xf32>, tensor<7x8xf32>) {
    %s = fusion.reduce add %a dims = [1, 2] : tensor<7x8x24xf32> -> tensor<7xf32>
    %sb = fusion.broadcast %s dims = [0] : tensor<7xf32> -> tensor<7x8x24xf32>
    %d = arith.subf %a, %sb : tensor<7x8x24xf32>
    %m = fusion.reduce maximumf %d dims = [2] : tensor<7x8x24xf32> -> tensor<7x8xf32>
    %mb = fusion.broadcast %m dims = [0, 1] : tensor<7x8xf32> -> tensor<7x8x24xf32>
    %y = arith.divf %d, %mb : tensor<7x8x24xf32>
    fusion.yield %y, %m : tensor<7x8x24xf32>, tensor<7x8xf32>
  }
  return %0#0, %0#1 : tensor<7x8x24xf32>, tensor<7x8xf32>
}

// The second pass reduces the parts on its way.
// CHECK-LABEL: gpu.func @looped_0_rows
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
// CHECK: gpu.return
func.func @looped(%x: tensor<3x80x32xf32>) -> (tensor<3x80x32xf32>, tensor<3x80xf32>) {
  %0:2 = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 3, threads = 64, groups = 1, rows = 1, width = 4, vectors = 2, traversal = looped, occupancy = 1, shared_bytes = 16>
      (%a = %x : tensor<3x80x32xf32>) -> (tensor<3x80x32xf32>, tensor<3x80xf32>) {
    %s = fusion.reduce add %a dims = [1, 2] : tensor<3x80x32xf32> -> tensor<3xf32>
    %sb = fusion.broadcast %s dims = [0] : tensor<3xf32> -> tensor<3x80x32xf32>
    %d = arith.subf %a, %sb : tensor<3x80x32xf32>
    %m = fusion.reduce maximumf %d dims = [2] : tensor<3x80x32xf32> -> tensor<3x80xf32>
    %mb = fusion.broadcast %m dims = [0, 1] : tensor<3x80xf32> -> tensor<3x80x32xf32>
    %y = arith.divf %d, %mb : tensor<3x80x32xf32>
    fusion.yield %y, %m : tensor<3x80x32xf32>, tensor<3x80xf32>
  }
  return %0#0, %0#1 : tensor<3x80x32xf32>, tensor<3x80xf32>
}

// The row is of the cluster, its parts are of warps.
// CHECK-LABEL: gpu.func @cluster_0_rows
// CHECK: gpu.shuffle xor
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
func.func @cluster(%x: tensor<2x16x64xf32>) -> (tensor<2x16x64xf32>, tensor<2x16xf32>) {
  %0:2 = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 4, cluster = 2, threads = 64, groups = 1, rows = 1, width = 4, vectors = 2, traversal = resident, occupancy = 1, shared_bytes = 32>
      (%a = %x : tensor<2x16x64xf32>) -> (tensor<2x16x64xf32>, tensor<2x16xf32>) {
    %s = fusion.reduce add %a dims = [1, 2] : tensor<2x16x64xf32> -> tensor<2xf32>
    %sb = fusion.broadcast %s dims = [0] : tensor<2xf32> -> tensor<2x16x64xf32>
    %d = arith.subf %a, %sb : tensor<2x16x64xf32>
    %m = fusion.reduce maximumf %d dims = [2] : tensor<2x16x64xf32> -> tensor<2x16xf32>
    %mb = fusion.broadcast %m dims = [0, 1] : tensor<2x16xf32> -> tensor<2x16x64xf32>
    %y = arith.divf %d, %mb : tensor<2x16x64xf32>
    fusion.yield %y, %m : tensor<2x16x64xf32>, tensor<2x16xf32>
  }
  return %0#0, %0#1 : tensor<2x16x64xf32>, tensor<2x16xf32>
}

// Two warps have a part.
// CHECK-LABEL: gpu.func @wide_0_rows
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
func.func @wide(%x: tensor<2x4x256xf32>) -> (tensor<2x4x256xf32>, tensor<2x4xf32>) {
  %0:2 = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 2, threads = 64, groups = 1, rows = 1, width = 4, vectors = 4, traversal = resident, occupancy = 1, shared_bytes = 48>
      (%a = %x : tensor<2x4x256xf32>) -> (tensor<2x4x256xf32>, tensor<2x4xf32>) {
    %s = fusion.reduce add %a dims = [1, 2] : tensor<2x4x256xf32> -> tensor<2xf32>
    %sb = fusion.broadcast %s dims = [0] : tensor<2xf32> -> tensor<2x4x256xf32>
    %d = arith.subf %a, %sb : tensor<2x4x256xf32>
    %m = fusion.reduce maximumf %d dims = [2] : tensor<2x4x256xf32> -> tensor<2x4xf32>
    %mb = fusion.broadcast %m dims = [0, 1] : tensor<2x4xf32> -> tensor<2x4x256xf32>
    %y = arith.divf %d, %mb : tensor<2x4x256xf32>
    fusion.yield %y, %m : tensor<2x4x256xf32>, tensor<2x4xf32>
  }
  return %0#0, %0#1 : tensor<2x4x256xf32>, tensor<2x4xf32>
}

// Four, with tiles of half the width.
// CHECK-LABEL: gpu.func @narrow_0_rows
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
func.func @narrow(%x: tensor<2x4x256xf32>) -> (tensor<2x4x256xf32>, tensor<2x4xf32>) {
  %0:2 = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 2, threads = 128, groups = 1, rows = 1, width = 2, vectors = 4, traversal = resident, occupancy = 1, shared_bytes = 80>
      (%a = %x : tensor<2x4x256xf32>) -> (tensor<2x4x256xf32>, tensor<2x4xf32>) {
    %s = fusion.reduce add %a dims = [1, 2] : tensor<2x4x256xf32> -> tensor<2xf32>
    %sb = fusion.broadcast %s dims = [0] : tensor<2xf32> -> tensor<2x4x256xf32>
    %d = arith.subf %a, %sb : tensor<2x4x256xf32>
    %m = fusion.reduce maximumf %d dims = [2] : tensor<2x4x256xf32> -> tensor<2x4xf32>
    %mb = fusion.broadcast %m dims = [0, 1] : tensor<2x4xf32> -> tensor<2x4x256xf32>
    %y = arith.divf %d, %mb : tensor<2x4x256xf32>
    fusion.yield %y, %m : tensor<2x4x256xf32>, tensor<2x4xf32>
  }
  return %0#0, %0#1 : tensor<2x4x256xf32>, tensor<2x4xf32>
}

// The blocks of a cluster share rows, by schedules written by hand: columns that
// no cluster divides, two rows at a time of which the last block has one, several
// passes, and each size of what is exchanged. The simulator checks for races.
//
// DEFINE: %{function} =
// DEFINE: %{run} = fusion-runner %s --function=%{function} --device=sim --verify --repeat-check=2 | FileCheck %s --check-prefix=VALUES
//
// REDEFINE: %{function} = softmax
// RUN: %{run}
// REDEFINE: %{function} = looped
// RUN: %{run}
// REDEFINE: %{function} = sums
// RUN: %{run}
// RUN: fusion-opt %s --fusion-lower-segments | FileCheck %s

// VALUES: result 0: passed
// VALUES-NOT: failed
// VALUES: repeat check: 2 runs are bitwise equal

// Barriers are set up before the loads; the blocks meet after them, and only
// then announce what the exchanges bring.
// CHECK-LABEL: gpu.func @softmax_0_rows
// CHECK: gpu.cluster_block_id x
// CHECK: nvvm.mbarrier.init
// CHECK: nvvm.fence.mbarrier.init
// CHECK-NOT: nvvm.mbarrier.arrive.expect_tx
// CHECK: nvvm.cluster.arrive.relaxed
// CHECK: vector.load
// CHECK: nvvm.cluster.wait
// CHECK: nvvm.mbarrier.arrive.expect_tx
// CHECK: nvvm.inline_ptx "st.async
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK-NOT: nvvm.cluster.wait
// CHECK: nvvm.inline_ptx "st.async
// CHECK: nvvm.mbarrier.try_wait.parity
func.func @softmax(%x: tensor<3x1004xf32>) -> tensor<3x1004xf32> {
  %s = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 8, cluster = 4, threads = 64, groups = 1, rows = 2, width = 4, vectors = 1, traversal = resident, occupancy = 1, shared_bytes = 144>
      (%a = %x : tensor<3x1004xf32>) -> (tensor<3x1004xf32>) {
    %max = fusion.reduce maximumf %a dims = [1] : tensor<3x1004xf32> -> tensor<3xf32>
    %max_b = fusion.broadcast %max dims = [0] : tensor<3xf32> -> tensor<3x1004xf32>
    %d = arith.subf %a, %max_b : tensor<3x1004xf32>
    %e = math.exp %d : tensor<3x1004xf32>
    %sum = fusion.reduce add %e dims = [1] : tensor<3x1004xf32> -> tensor<3xf32>
    %sum_b = fusion.broadcast %sum dims = [0] : tensor<3xf32> -> tensor<3x1004xf32>
    %y = arith.divf %e, %sum_b : tensor<3x1004xf32>
    fusion.yield %y : tensor<3x1004xf32>
  }
  return %s : tensor<3x1004xf32>
}

// More warps than lanes: 8 blocks of 5.
func.func @looped(%x: tensor<2x4999xbf16>) -> tensor<2x4999xbf16> {
  %s = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 16, cluster = 8, threads = 160, groups = 1, rows = 1, width = 1, vectors = 2, traversal = looped, occupancy = 1, shared_bytes = 176>
      (%a = %x : tensor<2x4999xbf16>) -> (tensor<2x4999xbf16>) {
    %f = arith.extf %a : tensor<2x4999xbf16> to tensor<2x4999xf32>
    %sum = fusion.reduce add %f dims = [1] : tensor<2x4999xf32> -> tensor<2xf32>
    %sum_b = fusion.broadcast %sum dims = [0] : tensor<2xf32> -> tensor<2x4999xf32>
    %y = arith.subf %f, %sum_b : tensor<2x4999xf32>
    %t = arith.truncf %y : tensor<2x4999xf32> to tensor<2x4999xbf16>
    fusion.yield %t : tensor<2x4999xbf16>
  }
  return %s : tensor<2x4999xbf16>
}

// Totals of 64, 32 and fewer bits in one exchange.
func.func @sums(%i: tensor<2x300xi16>) -> (tensor<2xf64>, tensor<2xi16>, tensor<2xi32>) {
  %s:3 = fusion.segment "inner-reduction" schedule = #fusion.rows<kind = inner_reduction, blocks = 4, cluster = 2, threads = 96, groups = 1, rows = 1, width = 2, vectors = 1, traversal = resident, occupancy = 1, shared_bytes = 144>
      (%a = %i : tensor<2x300xi16>) -> (tensor<2xf64>, tensor<2xi16>, tensor<2xi32>) {
    %f = arith.sitofp %a : tensor<2x300xi16> to tensor<2x300xf64>
    %n = arith.extsi %a : tensor<2x300xi16> to tensor<2x300xi32>
    %0 = fusion.reduce add %f dims = [1] : tensor<2x300xf64> -> tensor<2xf64>
    %1 = fusion.reduce maxsi %a dims = [1] : tensor<2x300xi16> -> tensor<2xi16>
    %2 = fusion.reduce add %n dims = [1] : tensor<2x300xi32> -> tensor<2xi32>
    fusion.yield %0, %1, %2 : tensor<2xf64>, tensor<2xi16>, tensor<2xi32>
  }
  return %s#0, %s#1, %s#2 : tensor<2xf64>, tensor<2xi16>, tensor<2xi32>
}

// A maximum and the sum of exponentials below it take one exchange among the
// warps of a row where `reassoc` allows it: each warp works with its own maximum
// and corrects what it has. Values that are not finite give what they would
// without.
// RUN: fusion-opt %s --fusion-lower-segments | FileCheck %s
// RUN: fusion-runner %s --function=block --device=sim --verify --repeat-check=2 | FileCheck %s --check-prefix=VALUES
// RUN: fusion-runner %s --function=cluster --device=sim --verify --repeat-check=2 | FileCheck %s --check-prefix=VALUES
// RUN: fusion-runner %s --function=strict --device=sim --verify | FileCheck %s --check-prefix=VALUES

// VALUES: result 0: passed
// VALUES-NOT: failed

// Row 0 is finite, row 1 is -infinity, row 2 begins with warps of -infinity, row
// 3 has one +infinity and row 4 a NaN. Two rows a thread; the last warp has no
// columns.
// CHECK-LABEL: gpu.func @block_0_rows
// CHECK: vector.load
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: gpu.func @cluster_0_rows
func.func @block(%x: tensor<5x360xf32>) -> (tensor<5x360xf32>, tensor<5xf32>) {
  %s:2 = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 3, threads = 128, groups = 1, rows = 2, width = 4, vectors = 1, traversal = resident, occupancy = 1, shared_bytes = 64>
      (%a = %x : tensor<5x360xf32>) -> (tensor<5x360xf32>, tensor<5xf32>) {
    %row_i = fusion.iota : tensor<5xi32>
    %row = fusion.broadcast %row_i dims = [0] : tensor<5xi32> -> tensor<5x360xi32>
    %column_i = fusion.iota : tensor<360xi32>
    %column = fusion.broadcast %column_i dims = [1] : tensor<360xi32> -> tensor<5x360xi32>
    %1 = arith.constant dense<1> : tensor<5x360xi32>
    %2 = arith.constant dense<2> : tensor<5x360xi32>
    %3 = arith.constant dense<3> : tensor<5x360xi32>
    %4 = arith.constant dense<4> : tensor<5x360xi32>
    %c200 = arith.constant dense<200> : tensor<5x360xi32>
    %lowest = arith.constant dense<0xFF800000> : tensor<5x360xf32>
    %highest = arith.constant dense<0x7F800000> : tensor<5x360xf32>
    %nan = arith.constant dense<0x7FC00000> : tensor<5x360xf32>
    %is1 = arith.cmpi eq, %row, %1 : tensor<5x360xi32>
    %is2 = arith.cmpi eq, %row, %2 : tensor<5x360xi32>
    %is3 = arith.cmpi eq, %row, %3 : tensor<5x360xi32>
    %is4 = arith.cmpi eq, %row, %4 : tensor<5x360xi32>
    %begins = arith.cmpi ult, %column, %c200 : tensor<5x360xi32>
    %one = arith.cmpi eq, %column, %c200 : tensor<5x360xi32>
    %first = arith.andi %is2, %begins : tensor<5x360xi1>
    %inf = arith.andi %is3, %one : tensor<5x360xi1>
    %bad = arith.andi %is4, %one : tensor<5x360xi1>
    %x1 = arith.select %is1, %lowest, %a : tensor<5x360xi1>, tensor<5x360xf32>
    %x2 = arith.select %first, %lowest, %x1 : tensor<5x360xi1>, tensor<5x360xf32>
    %x3 = arith.select %inf, %highest, %x2 : tensor<5x360xi1>, tensor<5x360xf32>
    %x4 = arith.select %bad, %nan, %x3 : tensor<5x360xi1>, tensor<5x360xf32>
    %max = fusion.reduce maximumf %x4 dims = [1] : tensor<5x360xf32> -> tensor<5xf32>
    %max_b = fusion.broadcast %max dims = [0] : tensor<5xf32> -> tensor<5x360xf32>
    %d = arith.subf %x4, %max_b fastmath<reassoc> : tensor<5x360xf32>
    %e = math.exp %d fastmath<reassoc,afn> : tensor<5x360xf32>
    %sum = fusion.reduce add %e dims = [1] fastmath<reassoc> : tensor<5x360xf32> -> tensor<5xf32>
    %sum_b = fusion.broadcast %sum dims = [0] : tensor<5xf32> -> tensor<5x360xf32>
    %y = arith.divf %e, %sum_b : tensor<5x360xf32>
    // The difference is that from the maximum of the row for everyone else.
    %half = arith.constant dense<0.5> : tensor<5x360xf32>
    %dy = arith.mulf %d, %half : tensor<5x360xf32>
    %z = arith.addf %y, %dy : tensor<5x360xf32>
    fusion.yield %z, %max : tensor<5x360xf32>, tensor<5xf32>
  }
  return %s#0, %s#1 : tensor<5x360xf32>, tensor<5xf32>
}

// Powers of two, over the 6 warps of 2 blocks: both values are sent before
// anyone waits.
// CHECK: nvvm.mbarrier.init
// CHECK-NOT: nvvm.mbarrier.init
// CHECK: nvvm.inline_ptx "st.async
// CHECK: nvvm.inline_ptx "st.async
// CHECK-NOT: nvvm.inline_ptx "st.async
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK-NOT: nvvm.mbarrier.try_wait.parity
// CHECK: gpu.func @strict_0_rows
func.func @cluster(%x: tensor<3x1000xf32>) -> tensor<3x1000xf32> {
  %s = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 6, cluster = 2, threads = 96, groups = 1, rows = 1, width = 4, vectors = 2, traversal = resident, occupancy = 1, shared_bytes = 80>
      (%a = %x : tensor<3x1000xf32>) -> (tensor<3x1000xf32>) {
    %max = fusion.reduce maximumf %a dims = [1] : tensor<3x1000xf32> -> tensor<3xf32>
    %max_b = fusion.broadcast %max dims = [0] : tensor<3xf32> -> tensor<3x1000xf32>
    %d = arith.subf %a, %max_b fastmath<reassoc> : tensor<3x1000xf32>
    %e = math.exp2 %d fastmath<reassoc,afn> : tensor<3x1000xf32>
    %sum = fusion.reduce add %e dims = [1] fastmath<reassoc> : tensor<3x1000xf32> -> tensor<3xf32>
    %sum_b = fusion.broadcast %sum dims = [0] : tensor<3xf32> -> tensor<3x1000xf32>
    %y = arith.divf %e, %sum_b : tensor<3x1000xf32>
    fusion.yield %y : tensor<3x1000xf32>
  }
  return %s : tensor<3x1000xf32>
}

// Without `reassoc` on the difference the sum waits for the maximum of the row.
// CHECK-COUNT-2: gpu.barrier
func.func @strict(%x: tensor<3x512xf32>) -> tensor<3x512xf32> {
  %s = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 3, threads = 128, groups = 1, rows = 1, width = 4, vectors = 1, traversal = resident, occupancy = 1, shared_bytes = 32>
      (%a = %x : tensor<3x512xf32>) -> (tensor<3x512xf32>) {
    %max = fusion.reduce maximumf %a dims = [1] : tensor<3x512xf32> -> tensor<3xf32>
    %max_b = fusion.broadcast %max dims = [0] : tensor<3xf32> -> tensor<3x512xf32>
    %d = arith.subf %a, %max_b : tensor<3x512xf32>
    %e = math.exp %d fastmath<reassoc,afn> : tensor<3x512xf32>
    %sum = fusion.reduce add %e dims = [1] fastmath<reassoc> : tensor<3x512xf32> -> tensor<3xf32>
    %sum_b = fusion.broadcast %sum dims = [0] : tensor<3xf32> -> tensor<3x512xf32>
    %y = arith.divf %e, %sum_b : tensor<3x512xf32>
    fusion.yield %y : tensor<3x512xf32>
  }
  return %s : tensor<3x512xf32>
}

// A pad of rows that only the launch knows: the program is compiled for its inputs.
// RUN: fusion-runner %s --device=sim --verify --print-plan --shape=0=5x64 | FileCheck %s --check-prefixes=SLICE,CHECK
// RUN: fusion-runner %s --device=sim --verify --shape=0=0x64 | FileCheck %s
// SLICE: 1 operations outside segments
// CHECK: passed
// CHECK-NOT: FAILED
func.func @counted_pad(%x: tensor<?x64xf32>, %v: f32) -> tensor<?x66xf32> {
  %y = math.exp %x : tensor<?x64xf32>
  %p = tensor.pad %y low[1, 0] high[2, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x64xf32> to tensor<?x66xf32>
  %z = arith.negf %p : tensor<?x66xf32>
  return %z : tensor<?x66xf32>
}

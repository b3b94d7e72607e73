// A program on tensors goes through all phases; the plan names its segments and
// the launches that they became.

// RUN: %no-gpu fusion-runner %s --function=sums --print-plan --verify \
// RUN:   --repeat-check=3 --json=%t.json | FileCheck %s
// CHECK: no GPU ({{.*}}): simulated on the CPU
// CHECK: device: sim
// CHECK: plan: 1 segments, 1 launches, 0 operations outside segments
// CHECK-NEXT: segment 0: inner-outer-persistent at {{.*}}program.mlir:[[#@LINE+13]]:8
// CHECK-NEXT: schedule: #fusion.inner_outer<
// CHECK-NEXT: launches: 1, main kernel: {{[0-9]+}} blocks of {{[0-9]+}} threads
// CHECK: kernel {{.+}}: grid {{[0-9]+}}x1x1, block {{[0-9]+}}x1x1
// CHECK: result 0: passed, relative L2 error {{[0-9.e-]+}}
// CHECK: result 1: passed, relative L2 error {{[0-9.e-]+}}
// CHECK: repeat check: 3 runs are bitwise equal

// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON: "scheduler": "inner-outer-persistent"

func.func @sums(%x: tensor<16x1024xf32>)
    -> (tensor<16xf32>, tensor<1024xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<16x1024xf32> -> tensor<16xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<16x1024xf32> -> tensor<1024xf32>
  return %r, %c : tensor<16xf32>, tensor<1024xf32>
}

// A valid program that no scheduler accepts, since a divisor may be zero: exit
// status 3.

// RUN: %no-gpu %status 3 fusion-runner %s --function=division 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REJECTED
// REJECTED: program.mlir:[[#@LINE+3]]:8: error:
// REJECTED-NOT: error:
func.func @division(%x: tensor<16x1024xi8>) -> tensor<16x1024xi8> {
  %y = arith.divsi %x, %x : tensor<16x1024xi8>
  return %y : tensor<16x1024xi8>
}

// One that needs no kernel: the host function copies.

// RUN: %no-gpu fusion-runner %s --function=part --print-plan --verify \
// RUN:   | FileCheck %s --check-prefix=PART
// PART: plan: 0 segments, 0 launches, 1 operations outside segments
// PART: result 0: passed
func.func @part(%x: tensor<8x16xf32>) -> tensor<2x4xf32> {
  %p = tensor.extract_slice %x[1, 2] [2, 4] [3, 1] : tensor<8x16xf32> to tensor<2x4xf32>
  return %p : tensor<2x4xf32>
}

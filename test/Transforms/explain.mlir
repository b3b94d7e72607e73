// What the schedulers say about two operations, found by printed name or by line.
// RUN: fusion-opt %s --fusion-explain="a=%0 b=%2 function=sums schedulers=inner-outer-persistent" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SUMS
// RUN: fusion-opt %s --fusion-explain="a=%0 b=%2 function=norm schedulers=inner-outer-persistent" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NORM
// RUN: fusion-opt %s --fusion-explain="a=27 b=28:8 schedulers=inner-outer-persistent" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LINES
// RUN: fusion-opt %s --fusion-explain="a=%0 b=%2 function=between" -o /dev/null 2>&1 | FileCheck %s --check-prefix=BETWEEN
// RUN: fusion-opt %s --fusion-explain="a=%0 b=%1 function=between" -o /dev/null 2>&1 | FileCheck %s --check-prefix=FIXED
// RUN: not fusion-opt %s --fusion-explain="a=%0 b=%9" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not fusion-opt %s --fusion-explain="a=%0" 2>&1 | FileCheck %s --check-prefix=ONE

// SUMS: fusion of 'fusion.reduce' at {{.*}}explain.mlir":27:8) (a) and 'fusion.reduce' at {{.*}}:29:8) (b):
// SUMS-NEXT: the smallest segment with both: 2 operations beside what is recomputed, 128 bytes in, 48 bytes out
// SUMS: inner-outer-persistent accepts: {{[0-9.]+}} us, {{[0-9]+}} bytes moved, {{[12]}} launches, {{[0-9]+}} bytes of shared memory, {{[0-9]+}} registers a thread
// SUMS-NEXT: a alone: no scheduler accepts
// SUMS-NEXT: b alone: no scheduler accepts

// NORM: 'fusion.reduce' at {{.*}} (a) and 'arith.subf' at
// NORM: inner-outer-persistent refuses: missing-reduction: expected a reduction along the columns
// NORM-NEXT: because of 'fusion.reduce' at

// LINES: 'fusion.reduce' at {{.*}}:27:8) (a) and 'arith.negf' at {{.*}}:28:8) (b)

// BETWEEN: they cannot stand in one segment: 'func.call' at {{.*}} is between them and stays outside
// FIXED: 'func.call' at {{.*}} is no tensor computation that a kernel can hold
// NONE: error: expected operations with the printed names, lines or named locations '%0' and '%9' in one block, but found none
// ONE: error: expected two operations, as in a=%0 b=%1, but got a='%0' b=''
func.func @sums(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %n = arith.negf %r : tensor<4xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %r, %n, %c : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>
}

func.func @norm(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %b = fusion.broadcast %r dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
  %y = arith.subf %x, %b : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

func.func private @make(tensor<4xf32>) -> tensor<4xf32>
func.func @between(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = arith.negf %x : tensor<4xf32>
  %c = call @make(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %b = arith.negf %c : tensor<4xf32>
  return %b : tensor<4xf32>
}

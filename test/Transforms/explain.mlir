// What the schedulers say about two operations, found by printed name or by line.
// RUN: fusion-opt %s --fusion-explain="a=%0 b=%2 function=sums schedulers=inner-outer-persistent" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SUMS
// RUN: fusion-opt %s --fusion-explain="a=%0 b=%2 function=norm schedulers=inner-outer-persistent" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NORM
// RUN: fusion-opt %s --fusion-explain="a=37 b=38:8 schedulers=inner-outer-persistent" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LINES
// RUN: fusion-opt %s --fusion-explain="a=%0 b=%2 function=between" -o /dev/null 2>&1 | FileCheck %s --check-prefix=BETWEEN
// RUN: fusion-opt %s --fusion-explain="a=%0 b=%1 function=between" -o /dev/null 2>&1 | FileCheck %s --check-prefix=FIXED
// RUN: fusion-opt %s --fusion-explain="a=%0 b=%4 function=scaled schedulers=inner-outer-persistent" -o /dev/null 2>&1 | FileCheck %s --check-prefix=PARAMS
// RUN: not fusion-opt %s --fusion-explain="a=%0 b=%9" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not fusion-opt %s --fusion-explain="a=1:1 b=%%x function=norm" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not fusion-opt %s --fusion-explain="a=%0 b=%1 function=blocks" 2>&1 | FileCheck %s --check-prefix=APART
// RUN: not fusion-opt %s --fusion-explain="a=%0 b=%1 function=nobody" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not fusion-opt %s --fusion-explain="a=%0" 2>&1 | FileCheck %s --check-prefix=ONE

// SUMS: fusion of 'fusion.reduce' at {{.*}}explain.mlir":37:8) (a) and 'fusion.reduce' at {{.*}}:39:8) (b):
// SUMS-NEXT: the smallest segment with both: 2 operations beside what is recomputed, 128 bytes in, 48 bytes out
// SUMS: inner-outer-persistent accepts: {{[0-9.]+}} us, {{[0-9]+}} bytes moved, {{[12]}} launches, {{[0-9]+}} bytes of shared memory, {{[0-9]+}} registers a thread
// SUMS-NEXT: a alone: no scheduler accepts
// SUMS-NEXT: b alone: no scheduler accepts

// NORM: 'fusion.reduce' at {{.*}} (a) and 'arith.subf' at
// NORM: inner-outer-persistent refuses: missing-reduction: expected a reduction along the columns (the outermost dimensions) beside those along the rows, or rows too large for a cache, in bytes of a row (needed {{[0-9]+}}, available 32)
// NORM-NEXT: because of 'fusion.reduce' at

// A scale of the columns counts with each row.
// PARAMS: inner-outer-persistent refuses: missing-reduction: expected {{.*}}, in bytes of a row and its params (needed {{[0-9]+}}, available 131072)

// LINES: 'fusion.reduce' at {{.*}}:37:8) (a) and 'arith.negf' at {{.*}}:38:8) (b)

// BETWEEN: they cannot stand in one segment: 'func.call' at {{.*}} is between them and stays outside
// FIXED: 'func.call' at {{.*}} is no tensor computation that a kernel can hold
// NONE: explain.mlir:{{[1-9][0-9]*}}:1: error: expected operations of 'sums' by printed name (%0, %1, %2), line, line and column, or named location, but found none for '%9'{{$}}
// BOTH: explain.mlir:{{[1-9][0-9]*}}:1: error: expected operations of 'norm' by printed name (%0, %1, %2), {{.*}}, but found none for '1:1' and '%x'{{$}}
// APART: explain.mlir:{{[1-9][0-9]*}}:1: error: expected two operations of one block, but '%0' and '%1' are in different blocks of 'blocks'{{$}}
// FUNCTION: error: expected a function with a body called 'nobody'{{$}}
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

func.func @blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = arith.negf %x : tensor<4xf32>
  cf.br ^next
^next:
  %b = arith.negf %a : tensor<4xf32>
  return %b : tensor<4xf32>
}

func.func @scaled(%x: tensor<4x16384xf32>, %g: tensor<16384xf32>) -> tensor<4x16384xf32> {
  %r = fusion.reduce add %x dims = [1] : tensor<4x16384xf32> -> tensor<4xf32>
  %b = fusion.broadcast %r dims = [0] : tensor<4xf32> -> tensor<4x16384xf32>
  %s = fusion.broadcast %g dims = [1] : tensor<16384xf32> -> tensor<4x16384xf32>
  %d = arith.subf %x, %b : tensor<4x16384xf32>
  %y = arith.mulf %d, %s : tensor<4x16384xf32>
  return %y : tensor<4x16384xf32>
}

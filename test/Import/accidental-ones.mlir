// An extent that is 1 by accident is no broadcast: whatever only the launch knows, and
// whatever the program squeezes or expands, the values that meet have equal extents, or
// the program fails.

// Rows that are counted at the launch: the program is compiled once, and checks them.
// RUN: fusion-runner %s --function=mapped --device=sim --verify --shape=0=1 --shape=1=1x8 | FileCheck %s --check-prefix=PASSED
// RUN: not fusion-runner %s --function=mapped --device=sim --shape=0=1 --shape=1=4x8 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: fusion-runner %s --function=expanded --device=sim --verify --shape=0=1 --shape=1=1x8 | FileCheck %s --check-prefix=PASSED
// RUN: not fusion-runner %s --function=expanded --device=sim --shape=0=1 --shape=1=4x8 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: fusion-runner %s --function=generic --device=sim --verify --shape=0=1 --shape=1=1x8 | FileCheck %s --check-prefix=PASSED
// RUN: not fusion-runner %s --function=generic --device=sim --shape=0=1 --shape=1=4x8 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not fusion-runner %s --function=mapped --device=sim --shape=0=4 --shape=1=1x8 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: fusion-runner %s --function=collapsed --device=sim --verify --shape=0=1x1 --shape=1=1x8 | FileCheck %s --check-prefix=PASSED
// RUN: not fusion-runner %s --function=collapsed --device=sim --shape=0=1x1 --shape=1=4x8 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: fusion-runner %s --function=generic_unit --device=sim --verify --shape=0=1x1 --shape=1=1x8 | FileCheck %s --check-prefix=PASSED
// RUN: not fusion-runner %s --function=generic_unit --device=sim --shape=0=1x1 --shape=1=4x8 2>&1 | FileCheck %s --check-prefix=ROWS
// Other extents: the program is compiled for the shapes of its inputs.
// RUN: fusion-runner %s --function=mapped_inner --device=sim --verify --shape=0=1 --shape=1=4x1 | FileCheck %s --check-prefix=PASSED
// RUN: not fusion-runner %s --function=mapped_inner --device=sim --shape=0=1 --shape=1=4x8 2>&1 | FileCheck %s --check-prefix=INNER
// RUN: fusion-runner %s --function=inner --device=sim --verify --shape=0=4x1 --shape=1=4x1 | FileCheck %s --check-prefix=PASSED
// RUN: not fusion-runner %s --function=inner --device=sim --shape=0=4x1 --shape=1=4x8 2>&1 | FileCheck %s --check-prefix=INNER
// RUN: fusion-runner %s --function=two --device=sim --verify --shape=0=1x8 --shape=1=1x8 | FileCheck %s --check-prefix=PASSED
// RUN: fusion-runner %s --function=two --device=sim --verify --shape=0=4x1 --shape=1=4x1 | FileCheck %s --check-prefix=PASSED
// RUN: not fusion-runner %s --function=two --device=sim --shape=0=4x1 --shape=1=4x8 2>&1 | FileCheck %s --check-prefix=BROADCAST
// RUN: fusion-runner %s --function=reshaped --device=sim --verify --shape=0=8 --input=1=const:8 --input=2=const:1 --shape=3=8x1 | FileCheck %s --check-prefix=PASSED
// RUN: not fusion-runner %s --function=reshaped --device=sim --shape=0=8 --input=1=const:4 --input=2=const:1 --shape=3=8x1 2>&1 | FileCheck %s --check-prefix=RESHAPE
// A static 1 beside an extent that only the launch knows.
// RUN: fusion-runner %s --function=with_static --device=sim --verify --shape=0=1x8 | FileCheck %s --check-prefix=PASSED
// RUN: not fusion-runner %s --function=with_static --device=sim --shape=0=4x8 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: fusion-runner %s --function=squeezed --device=sim --verify --shape=0=1x8 | FileCheck %s --check-prefix=PASSED
// RUN: not fusion-runner %s --function=squeezed --device=sim --shape=0=4x8 2>&1 | FileCheck %s --check-prefix=CAST
// RUN: fusion-runner %s --function=generic_static --device=sim --verify --shape=1=1x8 | FileCheck %s --check-prefix=PASSED
// RUN: not fusion-runner %s --function=generic_static --device=sim --shape=1=4x8 2>&1 | FileCheck %s --check-prefix=LOOP
// PASSED: passed
// PASSED-NOT: FAILED
// ROWS: error: assertion failed: expected dimension 0 of argument 1 to be as large as dimension 0 of argument 0
// INNER: error: expected dimension 1 of argument 1 to be 1 as elsewhere in the program, but got 8
// BROADCAST: error: assertion failed: expected the size of dimension 1 of a broadcast to be 8
// RESHAPE: error: assertion failed: expected the size of dimension 0 of a reshape to be 8
// STATIC: error: expected dimension 0 of argument 1 to be 4 as elsewhere in the program, but got 1
// CAST: error: expected dimension 0 to have the extent 4 of the dimensions that it meets, but it has 1
// LOOP: error: 'linalg.generic' op inferred input/output operand #1 has shape's dimension #0 to be 1, but found 4

func.func @mapped(%v: tensor<?xf32>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %b = fusion.broadcast %v dims = [0] : tensor<?xf32> -> tensor<?x8xf32>
  %y = arith.addf %b, %x : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
func.func @mapped_inner(%v: tensor<?xf32>, %x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %b = fusion.broadcast %v dims = [1] : tensor<?xf32> -> tensor<4x?xf32>
  %y = arith.addf %b, %x : tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}
func.func @inner(%v: tensor<4x?xf32>, %x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %y = arith.addf %v, %x : tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}
func.func @with_static(%v: tensor<?x8xf32>, %x: tensor<1x8xf32>) -> tensor<?x8xf32> {
  %c = tensor.cast %x : tensor<1x8xf32> to tensor<?x8xf32>
  %y = arith.addf %v, %c : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
func.func @squeezed(%v: tensor<?x8xf32>, %x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c = tensor.cast %v : tensor<?x8xf32> to tensor<1x8xf32>
  %s = fusion.squeeze %c dims = [0] : tensor<1x8xf32> -> tensor<8xf32>
  %b = fusion.broadcast %s dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
  %y = arith.addf %b, %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
func.func @expanded(%v: tensor<?xf32>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %v, %c0 : tensor<?xf32>
  %e = tensor.expand_shape %v [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
  %b = fusion.broadcast %e dims = [0, 1] : tensor<?x1xf32> -> tensor<?x8xf32>
  %y = arith.addf %b, %x : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
func.func @collapsed(%v: tensor<?x1xf32>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %e = tensor.collapse_shape %v [[0, 1]] : tensor<?x1xf32> into tensor<?xf32>
  %b = fusion.broadcast %e dims = [0] : tensor<?xf32> -> tensor<?x8xf32>
  %y = arith.addf %b, %x : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#unit = affine_map<(d0, d1) -> (d0, 0)>
func.func @generic(%v: tensor<?xf32>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %y = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%v, %x : tensor<?xf32>, tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
func.func @generic_static(%v: tensor<1x8xf32>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%v, %x : tensor<1x8xf32>, tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
func.func @generic_unit(%v: tensor<?x1xf32>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %y = linalg.generic {indexing_maps = [#unit, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%v, %x : tensor<?x1xf32>, tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
func.func @two(%v: tensor<?x?xf32>, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %a = fusion.reduce add %v dims = [1] : tensor<?x?xf32> -> tensor<?xf32>
  %c1 = arith.constant 1 : index
  %n = tensor.dim %v, %c1 : tensor<?x?xf32>
  %b = fusion.broadcast %a [%n] dims = [0] : tensor<?xf32> -> tensor<?x?xf32>
  %y = arith.addf %b, %x : tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
func.func @reshaped(%v: tensor<?xf32>, %n: index, %m: index, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %e = tensor.expand_shape %v [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>
  %y = arith.addf %e, %x : tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

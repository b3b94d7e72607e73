// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// nvFuser 1270: sums of the rows and columns of a product without columns: five zeros
// and nothing, which depend on no input. Constants need no kernel.
// CHECK-LABEL: plan of @row_and_column_sums_of_nothing: 0 segments, 0 launches, 0 operations outside segments
// CHECK: moves 0 bytes, 0 of them between segments
func.func @row_and_column_sums_of_nothing(%x: tensor<5x0xf32>, %y: tensor<5x0xf32>) -> (tensor<5xf32>, tensor<0xf32>) {
  %0 = arith.mulf %x, %y fastmath<contract> : tensor<5x0xf32>
  %1 = fusion.reduce add %0 dims = [1] : tensor<5x0xf32> -> tensor<5xf32>
  %2 = fusion.reduce add %0 dims = [0] : tensor<5x0xf32> -> tensor<0xf32>
  return %1, %2 : tensor<5xf32>, tensor<0xf32>
}

// nvFuser 264: a sum that leaves no element moves nothing.
// CHECK-LABEL: plan of @sum_of_no_planes: 0 segments, 0 launches, 0 operations outside segments
// CHECK: moves 0 bytes, 0 of them between segments
func.func @sum_of_no_planes(%x: tensor<3x4x0x5xf32>) -> tensor<3x0x5xf32> {
  %0 = fusion.reduce add %x dims = [1] : tensor<3x4x0x5xf32> -> tensor<3x0x5xf32>
  return %0 : tensor<3x0x5xf32>
}

// PyTorch 88263: a sum over nothing gives zeros, which are a constant.
// CHECK-LABEL: plan of @sum_over_nothing: 0 segments, 0 launches, 0 operations outside segments
// CHECK: moves 0 bytes, 0 of them between segments
func.func @sum_over_nothing(%x: tensor<3x0x5xf32>) -> tensor<3x5xf32> {
  %0 = fusion.reduce add %x dims = [1] : tensor<3x0x5xf32> -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// csarofeen 2008: relu, then a mean over a plane of one element is no reduction. x and g
// are read, the result is written: 3 (128 256 4) = 393216 bytes.
// CHECK-LABEL: plan of @mean_of_units: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 393216 bytes, 0 of them between segments
func.func @mean_of_units(%x: tensor<128x256x1x1xf32>, %g: tensor<128x256xf32>) -> tensor<128x256xf32> {
  %0 = arith.constant dense<0.000000000e+00> : tensor<128x256x1x1xf32>
  %1 = arith.cmpf ogt, %x, %0 : tensor<128x256x1x1xf32>
  %2 = arith.select %1, %x, %0 : tensor<128x256x1x1xi1>, tensor<128x256x1x1xf32>
  %3 = fusion.reduce add %2 dims = [2, 3] : tensor<128x256x1x1xf32> -> tensor<128x256xf32>
  %4 = arith.constant dense<1.000000000e+00> : tensor<128x256xf32>
  %5 = arith.mulf %3, %4 fastmath<contract> : tensor<128x256xf32>
  %6 = arith.mulf %5, %g fastmath<contract> : tensor<128x256xf32>
  return %6 : tensor<128x256xf32>
}

// nvFuser 1717: a variance over [7, 1], divided by 6. Seven elements are read, one is
// written: 32 bytes in one launch.
// CHECK-LABEL: plan of @variance_of_one: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 32 bytes, 0 of them between segments
func.func @variance_of_one(%x: tensor<7x1xf32>) -> tensor<f32> {
  %0 = fusion.reduce add %x dims = [0, 1] : tensor<7x1xf32> -> tensor<f32>
  %1 = arith.constant dense<1.428571429e-01> : tensor<f32>
  %2 = arith.mulf %0, %1 fastmath<contract> : tensor<f32>
  %3 = fusion.broadcast %2 dims = [] : tensor<f32> -> tensor<7x1xf32>
  %4 = arith.subf %x, %3 fastmath<contract> : tensor<7x1xf32>
  %5 = arith.mulf %4, %4 fastmath<contract> : tensor<7x1xf32>
  %6 = fusion.reduce add %5 dims = [0, 1] : tensor<7x1xf32> -> tensor<f32>
  %7 = arith.constant dense<6.000000000e+00> : tensor<f32>
  %8 = arith.divf %6, %7 fastmath<contract> : tensor<f32>
  return %8 : tensor<f32>
}

// The same of one element, divided by 0: it does not deviate, and 0 / 0 is NaN, not the
// infinity that any rest of a rounding would give. 8 bytes.
// RUN: fusion-runner %s --function=variance_of_one_element --device=sim --verify --output-dir=%t
// RUN: %{python} %S/../Tools/fusion-runner/Inputs/npy.py print %t/result0.npy | FileCheck %s --check-prefix=UNDEFINED
// UNDEFINED: () nan
// CHECK-LABEL: plan of @variance_of_one_element: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 8 bytes, 0 of them between segments
func.func @variance_of_one_element(%x: tensor<1x1xf32>) -> tensor<f32> {
  %n = arith.constant dense<1.0> : tensor<f32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %0 = fusion.reduce add %x dims = [0, 1] : tensor<1x1xf32> -> tensor<f32>
  %1 = arith.divf %0, %n : tensor<f32>
  %2 = fusion.broadcast %1 dims = [] : tensor<f32> -> tensor<1x1xf32>
  %3 = arith.subf %x, %2 : tensor<1x1xf32>
  %4 = arith.mulf %3, %3 : tensor<1x1xf32>
  %5 = fusion.reduce add %4 dims = [0, 1] : tensor<1x1xf32> -> tensor<f32>
  %6 = arith.divf %5, %zero : tensor<f32>
  return %6 : tensor<f32>
}

// csarofeen 390: reductions over static unit extents are views. x, 4096 4 bytes, is read
// once and each result written: 3 16384 = 49152.
// CHECK-LABEL: plan of @reductions_of_units: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 49152 bytes, 0 of them between segments
func.func @reductions_of_units(%x: tensor<1x4096x1xf32>) -> (tensor<4096xf32>, tensor<1x4096xf32>) {
  %0 = fusion.reduce add %x dims = [0, 2] : tensor<1x4096x1xf32> -> tensor<4096xf32>
  %1 = fusion.reduce maximumf %x dims = [2] : tensor<1x4096x1xf32> -> tensor<1x4096xf32>
  return %0, %1 : tensor<4096xf32>, tensor<1x4096xf32>
}

// nvFuser 2545 and 1246: an operand of a concatenation that has nothing is none, and the
// concatenation of one tensor is the tensor: b is read where it is, its tanh written,
// 2 (256 512 4), and 256 4 of sums: 1049600.
// CHECK-LABEL: plan of @concat_of_nothing: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 1049600 bytes, 0 of them between segments
func.func @concat_of_nothing(%a: tensor<256x0xf32>, %b: tensor<256x512xf32>) -> (tensor<256x512xf32>, tensor<256xf32>) {
  %0 = math.exp %a : tensor<256x0xf32>
  %1 = tensor.concat dim(1) %0, %b : (tensor<256x0xf32>, tensor<256x512xf32>) -> tensor<256x512xf32>
  %2 = math.tanh %1 : tensor<256x512xf32>
  %3 = fusion.reduce add %2 dims = [1] : tensor<256x512xf32> -> tensor<256xf32>
  return %2, %3 : tensor<256x512xf32>, tensor<256xf32>
}

// PyTorch 118379: the sum and the product of a vector of nothing are 0 and 1, and so
// constants (docs/Numerics.md); torch-mlir 3598: the maximum is -inf, not the least number.
// RUN: fusion-runner %s --function=reductions_of_nothing --device=sim --verify --output-dir=%t
// RUN: %{python} %S/../Tools/fusion-runner/Inputs/npy.py print %t/result1.npy | FileCheck %s --check-prefix=ONE
// RUN: %{python} %S/../Tools/fusion-runner/Inputs/npy.py print %t/result2.npy | FileCheck %s --check-prefix=LEAST
// ONE: () 1.0
// LEAST: () -inf
// CHECK-LABEL: plan of @reductions_of_nothing: 0 segments, 0 launches, 0 operations outside segments
// CHECK: moves 0 bytes, 0 of them between segments
func.func @reductions_of_nothing(%x: tensor<0xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = fusion.reduce add %x dims = [0] : tensor<0xf32> -> tensor<f32>
  %1 = fusion.reduce mul %x dims = [0] : tensor<0xf32> -> tensor<f32>
  %2 = fusion.reduce maximumf %x dims = [0] : tensor<0xf32> -> tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}

// PyTorch 102546: a product over no dimension is its operand; exp(x) in one kernel, 8 bytes.
// CHECK-LABEL: plan of @product_of_rank_0: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 8 bytes, 0 of them between segments
func.func @product_of_rank_0(%x: tensor<f32>) -> tensor<f32> {
  %0 = math.exp %x : tensor<f32>
  %1 = fusion.reduce mul %0 dims = [] : tensor<f32> -> tensor<f32>
  return %1 : tensor<f32>
}

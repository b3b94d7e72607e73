// Slices, concatenations and pads stand between kernels, as copies that the host makes.
// What the caller gives stays as it was.
// RUN: fusion-opt %s --fusion-to-gpu | FileCheck %s
// RUN: fusion-runner %s --function=slice --device=sim --verify --print-plan | FileCheck %s --check-prefix=PASSED
// RUN: fusion-runner %s --function=insert --device=sim --verify --print-plan | FileCheck %s --check-prefix=PASSED
// RUN: fusion-runner %s --function=concat --device=sim --verify --print-plan | FileCheck %s --check-prefix=PASSED
// RUN: fusion-runner %s --function=pad --device=sim --verify --print-plan | FileCheck %s --check-prefix=PASSED
// RUN: fusion-runner %s --function=steps --device=sim --verify --print-plan | FileCheck %s --check-prefix=PASSED
// RUN: fusion-runner %s --function=written_later --device=sim --verify --print-plan | FileCheck %s --check-prefix=PASSED
// RUN: fusion-runner %s --function=first_rows --device=sim --verify --print-plan | FileCheck %s --check-prefix=PASSED
// PASSED: {{[12]}} operation{{s?}} outside segments
// PASSED: passed
// PASSED-NOT: FAILED

// CHECK-LABEL: func.func @slice(
// CHECK: gpu.launch_func @slice_0::@slice_0_points
// CHECK: %[[VIEW:.*]] = memref.subview %{{.*}}[0, 16] [16, 32] [1, 1]
// CHECK: memref.copy %[[VIEW]], %[[COPY:.*]] : memref<16x32xf32, strided<[64, 1], offset: 16>> to memref<16x32xf32>
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[COPY]]
// CHECK: gpu.launch_func @slice_1::@slice_1_points {{.*}}args(%[[FLAT]]
func.func @slice(%x: tensor<16x64xf32>) -> tensor<16x32xf32> {
  %y = math.exp %x : tensor<16x64xf32>
  %s = tensor.extract_slice %y[0, 16] [16, 32] [1, 1] : tensor<16x64xf32> to tensor<16x32xf32>
  %z = arith.mulf %s, %s : tensor<16x32xf32>
  return %z : tensor<16x32xf32>
}

// CHECK-LABEL: func.func @insert(
// CHECK-SAME: %[[X:.*]]: memref<16x64xf32>, %{{.*}}: memref<4x64xf32>)
// CHECK: memref.copy %[[X]], %[[NEW:.*]] : memref<16x64xf32> to memref<16x64xf32>
// CHECK: %[[VIEW:.*]] = memref.subview %[[NEW]][4, 0] [4, 64] [1, 1]
// CHECK: memref.copy %{{.*}}, %[[VIEW]]
func.func @insert(%x: tensor<16x64xf32>, %y: tensor<4x64xf32>) -> (tensor<16x64xf32>, tensor<16x64xf32>) {
  %a = math.exp %y : tensor<4x64xf32>
  %p = tensor.insert_slice %a into %x[4, 0] [4, 64] [1, 1] : tensor<4x64xf32> into tensor<16x64xf32>
  %z = arith.negf %p : tensor<16x64xf32>
  return %x, %z : tensor<16x64xf32>, tensor<16x64xf32>
}

func.func @concat(%x: tensor<16x64xf32>, %y: tensor<4x64xf32>) -> tensor<20x64xf32> {
  %a = math.exp %y : tensor<4x64xf32>
  %p = tensor.concat dim(0) %x, %a : (tensor<16x64xf32>, tensor<4x64xf32>) -> tensor<20x64xf32>
  %z = arith.negf %p : tensor<20x64xf32>
  return %z : tensor<20x64xf32>
}

func.func @pad(%x: tensor<16x64xf32>) -> tensor<18x64xf32> {
  %c = arith.constant 0.5 : f32
  %y = math.exp %x : tensor<16x64xf32>
  %p = tensor.pad %y low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<16x64xf32> to tensor<18x64xf32>
  %z = arith.negf %p : tensor<18x64xf32>
  return %z : tensor<18x64xf32>
}

// Every second element, and a dimension that is dropped; and what no kernel touches.
func.func @steps(%x: tensor<6x4x10xbf16>) -> (tensor<6x5xbf16>, tensor<6x4x5xbf16>) {
  %a = tensor.extract_slice %x[0, 2, 0] [6, 1, 5] [1, 1, 2] : tensor<6x4x10xbf16> to tensor<6x5xbf16>
  %b = tensor.extract_slice %x[0, 0, 5] [6, 4, 5] [1, 1, 1] : tensor<6x4x10xbf16> to tensor<6x4x5xbf16>
  %c = arith.negf %a : tensor<6x5xbf16>
  return %c, %b : tensor<6x5xbf16>, tensor<6x4x5xbf16>
}

// What a kernel gave is needed as it was after a slice went into it.
func.func @written_later(%x: tensor<8x64xf32>, %y: tensor<2x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>) {
  %a = math.exp %x : tensor<8x64xf32>
  %b = tensor.insert_slice %y into %a[3, 0] [2, 64] [1, 1] : tensor<2x64xf32> into tensor<8x64xf32>
  %c = arith.negf %b : tensor<8x64xf32>
  %d = arith.addf %c, %a : tensor<8x64xf32>
  %e = fusion.reduce add %d dims = [1] : tensor<8x64xf32> -> tensor<8xf32>
  return %a, %c, %e : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>
}

// The first rows are where the tensor is: nothing is copied, and the kernel assumes that
// the argument is aligned.
// CHECK-LABEL: func.func @first_rows(
// CHECK: cf.assert %{{.*}}, "expected argument 0 to start at a multiple of 16 bytes"
// CHECK-NOT: memref.copy
// CHECK: gpu.launch_func
func.func @first_rows(%x: tensor<16x64xf32>) -> tensor<4x64xf32> {
  %s = tensor.extract_slice %x[0, 0] [4, 64] [1, 1] : tensor<16x64xf32> to tensor<4x64xf32>
  %e = math.exp %s : tensor<4x64xf32>
  return %e : tensor<4x64xf32>
}

// The text of pointwise kernels.
// RUN: fusion-opt %s --fusion-schedule --fusion-lower-segments -canonicalize -cse | FileCheck %s

// Whole vectors: loads before stores, no condition, no division.
// CHECK-LABEL: gpu.func @whole_0_points(
// CHECK-SAME: %[[X:.*]]: memref<262144xf32> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME: %[[Y:.*]]: memref<262144xf32> {llvm.align = 16 : i64, llvm.noalias}
// CHECK-NOT: scf.if
// CHECK-NOT: rem
// CHECK: vector.load %[[X]]{{.*}} {alignment = 16 : i64} : memref<262144xf32>, vector<4xf32>
// CHECK-NOT: scf.if
// CHECK: arith.addf {{.*}} : vector<4xf32>
// CHECK: vector.store {{.*}}, %[[Y]]{{.*}} {alignment = 16 : i64}
// CHECK: gpu.return
func.func @whole(%x: tensor<256x1024xf32>) -> tensor<256x1024xf32> {
  %s = fusion.segment "pointwise" (%a = %x : tensor<256x1024xf32>) -> (tensor<256x1024xf32>) {
    %y = arith.addf %a, %a : tensor<256x1024xf32>
    fusion.yield %y : tensor<256x1024xf32>
  }
  return %s : tensor<256x1024xf32>
}

// A bias is a vector, a row's value a scalar: it is computed once, not for each
// column. The row's result is stored where its columns begin.
// CHECK-LABEL: gpu.func @spaces_0_points(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<65536xf32> {{{.*}}}, %[[ROW:[a-z0-9]+]]: memref<64xf32> {{{.*}}}, %[[BIAS:[a-z0-9]+]]: memref<1024xf32>
// CHECK-DAG: vector.load %[[X]]
// CHECK-DAG: memref.load %[[ROW]]
// CHECK-DAG: vector.load %[[BIAS]]
// CHECK: %[[R:.*]] = math.sqrt %{{.*}} : f32
// CHECK: vector.store
// CHECK: scf.if
// CHECK-NEXT: memref.store %[[R]]
func.func @spaces(%x: tensor<64x1024xf32>, %row: tensor<64xf32>, %bias: tensor<1024xf32>) -> (tensor<64x1024xf32>, tensor<64xf32>) {
  %s:2 = fusion.segment "pointwise" (%a = %x : tensor<64x1024xf32>, %b = %row : tensor<64xf32>, %c = %bias : tensor<1024xf32>) -> (tensor<64x1024xf32>, tensor<64xf32>) {
    %r = math.sqrt %b : tensor<64xf32>
    %rb = fusion.broadcast %r dims = [0] : tensor<64xf32> -> tensor<64x1024xf32>
    %cb = fusion.broadcast %c dims = [1] : tensor<1024xf32> -> tensor<64x1024xf32>
    %0 = arith.mulf %a, %rb : tensor<64x1024xf32>
    %1 = arith.addf %0, %cb : tensor<64x1024xf32>
    fusion.yield %1, %r : tensor<64x1024xf32>, tensor<64xf32>
  }
  return %s#0, %s#1 : tensor<64x1024xf32>, tensor<64xf32>
}

// A mask of i1 is read as bytes.
// CHECK-LABEL: gpu.func @mask_0_points(
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr -> vector<8xi8>
// CHECK: arith.trunci %{{.*}} : vector<8xi8> to vector<8xi1>
func.func @mask(%m: tensor<64x1024xi1>, %x: tensor<64x1024xbf16>) -> tensor<64x1024xbf16> {
  %s = fusion.segment "pointwise" (%a = %m : tensor<64x1024xi1>, %b = %x : tensor<64x1024xbf16>) -> (tensor<64x1024xbf16>) {
    %z = arith.constant dense<0.0> : tensor<64x1024xbf16>
    %y = arith.select %a, %b, %z : tensor<64x1024xi1>, tensor<64x1024xbf16>
    fusion.yield %y : tensor<64x1024xbf16>
  }
  return %s : tensor<64x1024xbf16>
}

// An odd extent beside a bias: the tensor itself is still accessed by vectors,
// the bias element by element; the last three points are done alone.
// CHECK-LABEL: gpu.func @odd_0_points(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4095xf32> {{{.*}}}, %[[BIAS:[a-z0-9]+]]: memref<65xf32>
// CHECK: vector.load %[[X]]
// CHECK-COUNT-4: memref.load %[[BIAS]]
// CHECK: vector.from_elements
// CHECK: scf.if
// CHECK: memref.load %[[X]]
// CHECK: memref.load %[[BIAS]]
// CHECK: memref.store
func.func @odd(%x: tensor<63x65xf32>, %bias: tensor<65xf32>) -> tensor<63x65xf32> {
  %s = fusion.segment "pointwise" (%a = %x : tensor<63x65xf32>, %c = %bias : tensor<65xf32>) -> (tensor<63x65xf32>) {
    %cb = fusion.broadcast %c dims = [1] : tensor<65xf32> -> tensor<63x65xf32>
    %1 = arith.addf %a, %cb : tensor<63x65xf32>
    fusion.yield %1 : tensor<63x65xf32>
  }
  return %s : tensor<63x65xf32>
}

// Nothing to compute, nothing to launch.
// CHECK-LABEL: func.func @empty(
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @empty(%x: tensor<0x65xf32>) -> tensor<0x65xf32> {
  %s = fusion.segment "pointwise" (%a = %x : tensor<0x65xf32>) -> (tensor<0x65xf32>) {
    %1 = arith.addf %a, %a : tensor<0x65xf32>
    fusion.yield %1 : tensor<0x65xf32>
  }
  return %s : tensor<0x65xf32>
}

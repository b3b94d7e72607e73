// The host side of a lowered segment: buffers, launches, results; and what the
// kernels are told about their arguments.
// RUN: fusion-opt %s --fusion-lower-segments -split-input-file | FileCheck %s
// RUN: fusion-opt %s --fusion-lower-segments --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" -split-input-file | FileCheck %s --check-prefix=BUF

// CHECK: module attributes {gpu.container_module}
// CHECK: gpu.module @f_0
// CHECK: gpu.func @f_0_rows(%{{.*}}: memref<4x8xf32> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME: %{{.*}}: memref<4xf32> {llvm.align = 16 : i64, llvm.noalias}
// CHECK-SAME: %{{.*}}: memref<2x8xf32> {llvm.align = 16 : i64, llvm.noalias})
// CHECK-SAME: kernel attributes {nvvm.maxntid = array<i32: 32>, nvvm.minctasm = 1 : i32}
// CHECK: gpu.func @f_0_finish(%{{.*}}: memref<8xf32> {llvm.align = 16 : i64, llvm.noalias}
// CHECK-SAME: %{{.*}}: memref<2x8xf32> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly})
// CHECK-SAME: nvvm.maxntid = array<i32: 64>

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK: %[[B:.*]] = bufferization.to_buffer %[[X]] read_only
// CHECK: %[[P:.*]] = memref.extract_aligned_pointer_as_index %[[B]]
// CHECK: %[[REST:.*]] = arith.remui %[[P]], %c16
// CHECK: %[[OK:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK: cf.assert %[[OK]], "expected argument 0 to start at a multiple of 16 bytes"
// CHECK: %[[IN:.*]] = bufferization.to_buffer %[[X]] read_only
// CHECK: %[[R:.*]] = memref.alloc() : memref<4xf32>
// CHECK: %[[C:.*]] = memref.alloc() : memref<8xf32>
// CHECK: %[[W:.*]] = memref.alloc() : memref<2x8xf32>
// CHECK: gpu.launch_func @f_0::@f_0_rows blocks in (%c2{{.*}}, %c1{{.*}}, %c1{{.*}}) threads in (%c32{{.*}}, %c1{{.*}}, %c1{{.*}}) dynamic_shared_memory_size %c128_i32{{.*}} args(%[[IN]] : memref<4x8xf32>, %[[R]] : memref<4xf32>, %[[W]] : memref<2x8xf32>)
// CHECK: gpu.launch_func @f_0::@f_0_finish blocks in (%c1{{.*}}, %c1{{.*}}, %c1{{.*}}) threads in (%c64{{.*}}, %c1{{.*}}, %c1{{.*}}) args(%[[C]] : memref<8xf32>, %[[W]] : memref<2x8xf32>)
// CHECK: memref.dealloc %[[W]]
// CHECK: %[[RT:.*]] = bufferization.to_tensor %[[R]] restrict writable
// CHECK: %[[CT:.*]] = bufferization.to_tensor %[[C]] restrict writable
// CHECK: return %[[RT]], %[[CT]]

// After bufferization the results are the buffers that the kernels wrote: no copy.
// BUF-LABEL: func.func @f(
// BUF-SAME: %[[X:.*]]: memref<4x8xf32>) -> (memref<4xf32>, memref<8xf32>)
// BUF: %[[R:.*]] = memref.alloc() : memref<4xf32>
// BUF: %[[C:.*]] = memref.alloc() : memref<8xf32>
// BUF-NOT: memref.copy
// BUF: return %[[R]], %[[C]]
func.func @f(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 2, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 1, finish_threads = 64, shared_bytes = 128>
      (%a = %x : tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
    fusion.yield %r, %c : tensor<4xf32>, tensor<8xf32>
  }
  return %s#0, %s#1 : tensor<4xf32>, tensor<8xf32>
}

// -----

// The caller owns what it gets: a returned argument, a constant and a value that
// is returned twice are copied; memory that an argument stands for is too.
// CHECK-LABEL: func.func @ownership(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[M:[a-z0-9]+]]: memref<4xf32>
// CHECK: %[[K:.*]] = arith.constant dense
// CHECK: %[[T:.*]] = bufferization.to_tensor %[[M]]
// CHECK: %[[R:.*]] = bufferization.to_tensor
// CHECK: %[[C:.*]] = bufferization.to_tensor
// CHECK-DAG: %[[R2:.*]] = bufferization.alloc_tensor() copy(%[[R]])
// CHECK-DAG: %[[X2:.*]] = bufferization.alloc_tensor() copy(%[[X]])
// CHECK-DAG: %[[K2:.*]] = bufferization.alloc_tensor() copy(%[[K]])
// CHECK-DAG: %[[T2:.*]] = bufferization.alloc_tensor() copy(%[[T]])
// CHECK: return %[[R]], %[[R2]], %[[C]], %[[X2]], %[[K2]], %[[T2]]

// BUF-LABEL: func.func @ownership(
// BUF-COUNT-4: memref.copy
// BUF-NOT: memref.copy
// BUF: return
func.func @ownership(%x: tensor<4x8xf32>, %m: memref<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<2xf32>, tensor<4xf32>) {
  %k = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 2, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 1, finish_threads = 64, shared_bytes = 0>
      (%a = %x : tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
    fusion.yield %r, %c : tensor<4xf32>, tensor<8xf32>
  }
  return %s#0, %s#0, %s#1, %x, %k, %t : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<2xf32>, tensor<4xf32>
}

// -----

// Kernels see [rows, columns], whatever the rank; a scalar is passed as it is.
// CHECK-LABEL: func.func @reshaped(
// CHECK: %[[X:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : memref<2x3x8xf32> into memref<6x8xf32>
// CHECK: %[[R:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0, 1]] : memref<2x3xf32> into memref<6xf32>
// CHECK: gpu.launch_func @reshaped_0::@reshaped_0_rows
// CHECK-SAME: args(%[[X]] : memref<6x8xf32>, %{{.*}} : f32, %[[R]] : memref<6xf32>, %{{.*}} : memref<2x8xf32>)
func.func @reshaped(%x: tensor<2x3x8xf32>, %k: f32) -> (tensor<2x3xf32>, tensor<8xf32>) {
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 2, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 1, finish_threads = 64, shared_bytes = 0>
      (%a = %x : tensor<2x3x8xf32>, %l = %k : f32) -> (tensor<2x3xf32>, tensor<8xf32>) {
    %t = tensor.splat %l : tensor<2x3x8xf32>
    %y = arith.mulf %a, %t : tensor<2x3x8xf32>
    %r = fusion.reduce add %y dims = [2] : tensor<2x3x8xf32> -> tensor<2x3xf32>
    %c = fusion.reduce add %y dims = [0, 1] : tensor<2x3x8xf32> -> tensor<8xf32>
    fusion.yield %r, %c : tensor<2x3xf32>, tensor<8xf32>
  }
  return %s#0, %s#1 : tensor<2x3xf32>, tensor<8xf32>
}

// -----

// A column value that stands after the columns is computed by the finish kernel,
// and so is one of no reduction at all; each kernel gets only what it needs.
// CHECK-LABEL: func.func @finish_outputs(
// CHECK: gpu.launch_func @finish_outputs_0::@finish_outputs_0_rows
// CHECK-SAME: args(%{{.*}} : memref<4x8xf32>, %{{.*}} : memref<4xf32>, %{{.*}} : memref<2x8xf32>)
// CHECK: gpu.launch_func @finish_outputs_0::@finish_outputs_0_finish
// CHECK-SAME: args(%{{.*}} : memref<8xbf16>, %{{.*}} : memref<8xbf16>, %{{.*}} : memref<8xbf16>, %{{.*}} : memref<2x8xf32>)
func.func @finish_outputs(%x: tensor<4x8xf32>, %g: tensor<8xbf16>) -> (tensor<4xf32>, tensor<8xbf16>, tensor<8xbf16>) {
  %s:3 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 2, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 1, finish_threads = 64, shared_bytes = 0>
      (%a = %x : tensor<4x8xf32>, %h = %g : tensor<8xbf16>) -> (tensor<4xf32>, tensor<8xbf16>, tensor<8xbf16>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
    %cb = arith.truncf %c : tensor<8xf32> to tensor<8xbf16>
    %ch = arith.mulf %cb, %h : tensor<8xbf16>
    %hh = arith.mulf %h, %h : tensor<8xbf16>
    fusion.yield %r, %ch, %hh : tensor<4xf32>, tensor<8xbf16>, tensor<8xbf16>
  }
  return %s#0, %s#1, %s#2 : tensor<4xf32>, tensor<8xbf16>, tensor<8xbf16>
}

// -----

// Names of kernels hold letters, digits and underscores whatever the function is
// called, and two functions never share one.
// CHECK: gpu.module @_7_a_b_0
// CHECK: gpu.func @_7_a_b_0_rows
// CHECK: gpu.module @[[SECOND:_7_a_b_0_[0-9]+]]
// CHECK: gpu.func @[[SECOND]]_rows
func.func @"7.a-b"(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 2, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 1, finish_threads = 64, shared_bytes = 0>
      (%a = %x : tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
    fusion.yield %r, %c : tensor<4xf32>, tensor<8xf32>
  }
  return %s#0, %s#1 : tensor<4xf32>, tensor<8xf32>
}
func.func @"7 a b"(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 32, groups = 1, rows = 1, width = 2, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 1, finish_threads = 64, shared_bytes = 0>
      (%a = %x : tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
    fusion.yield %r, %c : tensor<4xf32>, tensor<8xf32>
  }
  return %s#0, %s#1 : tensor<4xf32>, tensor<8xf32>
}

// -----

// Without a segment there is nothing to do: no container, no check.
// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: %[[E:.*]] = tensor.extract
// CHECK-NEXT: return %[[E]]
func.func @nothing(%x: tensor<4xf32>, %i: index) -> f32 {
  %e = tensor.extract %x[%i] : tensor<4xf32>
  return %e : f32
}

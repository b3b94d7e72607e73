// Rows move in accesses of 16 bytes where extents and alignment allow it.
// RUN: fusion-opt %s --fusion-to-ptx -split-input-file | %{python} %S/../Inputs/extract-ptx.py | FileCheck %s
// RUN: fusion-opt %s --fusion-to-ptx=chip=sm_80 -split-input-file | %{python} %S/../Inputs/extract-ptx.py | FileCheck %s

// Kernels are told the alignment of every buffer, and the size of a block; dynamic
// shared memory is external, so that the launch decides its size.
// CHECK: .extern .shared .align 16 .b8 [[SMEM:__dynamic_shmem__[0-9]+]][];
// CHECK: .visible .entry direct_f32_0_rows(
// CHECK-COUNT-4: .param .u64 .ptr .align 16 direct_f32_0_rows_param_
// CHECK: )
// CHECK: .maxntid 64
// CHECK: .minnctapersm 1
// CHECK-NOT: ld.global.{{(nc\.)?(b|f)32}}
// CHECK: ld.global.nc.v4.{{(b|f)32}}
// CHECK: st.global.v4.{{(b|f)32}}
// The finish kernel adds the columns' partial results one by one.
// CHECK: .visible .entry direct_f32_0_finish(
func.func @direct_f32(%x: tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
  %s:3 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 4, threads = 64, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 8, finish_threads = 64, shared_bytes = 256>
      (%a = %x : tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
    %y = arith.mulf %a, %a : tensor<64x256xf32>
    %r = fusion.reduce add %y dims = [1] : tensor<64x256xf32> -> tensor<64xf32>
    %c = fusion.reduce add %y dims = [0] : tensor<64x256xf32> -> tensor<256xf32>
    fusion.yield %y, %r, %c : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
  }
  return %s#0, %s#1, %s#2 : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
}

// -----

// Eight bf16 values in one access.
// CHECK: .visible .entry direct_bf16_0_rows(
// CHECK-NOT: ld.global.{{(nc\.)?(b|u)16}}
// CHECK: ld.global.nc.v4.b32
// CHECK-NOT: st.global.{{(b|u)16}}
// CHECK: st.global.v4.b32
// CHECK: .visible .entry direct_bf16_0_finish(
func.func @direct_bf16(%x: tensor<64x256xbf16>) -> (tensor<64x256xbf16>, tensor<64xf32>, tensor<256xf32>) {
  %s:3 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 4, threads = 32, groups = 1, rows = 1, width = 8, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 8, finish_threads = 64, shared_bytes = 0>
      (%a = %x : tensor<64x256xbf16>) -> (tensor<64x256xbf16>, tensor<64xf32>, tensor<256xf32>) {
    %y = arith.mulf %a, %a : tensor<64x256xbf16>
    %r = fusion.reduce add %y dims = [1] : tensor<64x256xbf16> -> tensor<64xf32>
    %c = fusion.reduce add %y dims = [0] : tensor<64x256xbf16> -> tensor<256xf32>
    fusion.yield %y, %r, %c : tensor<64x256xbf16>, tensor<64xf32>, tensor<256xf32>
  }
  return %s#0, %s#1, %s#2 : tensor<64x256xbf16>, tensor<64xf32>, tensor<256xf32>
}

// -----

// The ring: 16 bytes from global to shared memory, past L1, and out again; each
// thread waits for its own copies, so there is no barrier for the ring.
// CHECK: .visible .entry ring_0_rows(
// CHECK: cp.async.cg.shared.global [%r{{d?[0-9]+}}], [%rd{{[0-9]+}}], 16
// CHECK: cp.async.commit_group
// CHECK: cp.async.wait_group 2
// CHECK: ld.shared.v4.{{(b|f)32}}
// CHECK: .visible .entry ring_0_finish(
func.func @ring(%x: tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
  %s:3 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 4, threads = 64, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = async_copy, stages = 3, keep = registers, params = registers,
      finish_blocks = 8, finish_threads = 64, shared_bytes = 8192>
      (%a = %x : tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
    %y = arith.mulf %a, %a : tensor<64x256xf32>
    %r = fusion.reduce add %y dims = [1] : tensor<64x256xf32> -> tensor<64xf32>
    %c = fusion.reduce add %y dims = [0] : tensor<64x256xf32> -> tensor<256xf32>
    fusion.yield %y, %r, %c : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
  }
  return %s#0, %s#1, %s#2 : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
}

// -----

// Two f32 values in eight bytes: the copy goes through L1, which has no other way.
// CHECK: .visible .entry narrow_0_rows(
// CHECK: cp.async.ca.shared.global [%r{{d?[0-9]+}}], [%rd{{[0-9]+}}], 8
// CHECK: .visible .entry narrow_0_finish(
func.func @narrow(%x: tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
  %s:3 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 4, threads = 128, groups = 1, rows = 1, width = 2, vectors = 1,
      loader = async_copy, stages = 2, keep = registers, params = registers,
      finish_blocks = 8, finish_threads = 64, shared_bytes = 8192>
      (%a = %x : tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
    %y = arith.mulf %a, %a : tensor<64x256xf32>
    %r = fusion.reduce add %y dims = [1] : tensor<64x256xf32> -> tensor<64xf32>
    %c = fusion.reduce add %y dims = [0] : tensor<64x256xf32> -> tensor<256xf32>
    fusion.yield %y, %r, %c : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
  }
  return %s#0, %s#1, %s#2 : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
}

// Extents that nothing divides: no vector access, no thread beyond the row, and the
// rows beyond the last one change nothing.
// RUN: fusion-opt %s --fusion-to-gpu -split-input-file | FileCheck %s --check-prefix=GPU
// RUN: fusion-opt %s --fusion-to-ptx -split-input-file | %{python} %S/../Inputs/extract-ptx.py | FileCheck %s

// 1987 columns by 8 vectors of 256 threads, 33 rows by two groups: the last vector
// and the last tile are checked. Rows that are 7948 bytes apart allow no access of
// 8 or 16.
// CHECK: .visible .entry f32_0_rows(
// CHECK-NOT: {{(ld|st)}}.global{{(.nc)?}}.v
// CHECK: setp.{{[a-z]+}}.{{[su]}}{{32|64}} %p{{[0-9]+}}, %{{[a-z0-9]+}}, {{[0-9]+}}
// CHECK-NOT: {{(ld|st)}}.global{{(.nc)?}}.v
// CHECK: st.global.{{[bf]}}32
// CHECK-NOT: {{(ld|st)}}.global{{(.nc)?}}.v
// CHECK: .visible .entry f32_0_finish(
// CHECK-NOT: {{(ld|st)}}.global{{(.nc)?}}.v
// CHECK: st.global.{{[bf]}}32
func.func @f32(%x: tensor<33x1987xf32>) -> (tensor<33x1987xf32>, tensor<33xf32>, tensor<1987xf32>) {
  %s:3 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 3, threads = 512, groups = 2, rows = 1, width = 1, vectors = 8,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 63, finish_threads = 64, shared_bytes = 16384>
      (%a = %x : tensor<33x1987xf32>) -> (tensor<33x1987xf32>, tensor<33xf32>, tensor<1987xf32>) {
    %y = arith.mulf %a, %a : tensor<33x1987xf32>
    %r = fusion.reduce add %y dims = [1] : tensor<33x1987xf32> -> tensor<33xf32>
    %c = fusion.reduce add %y dims = [0] : tensor<33x1987xf32> -> tensor<1987xf32>
    fusion.yield %y, %r, %c : tensor<33x1987xf32>, tensor<33xf32>, tensor<1987xf32>
  }
  return %s#0, %s#1, %s#2 : tensor<33x1987xf32>, tensor<33xf32>, tensor<1987xf32>
}

// -----

// CHECK: .visible .entry bf16_0_rows(
// CHECK-NOT: {{(ld|st)}}.global{{(.nc)?}}.v
// CHECK: ld.global.nc.{{[bu]}}16
// CHECK-NOT: {{(ld|st)}}.global{{(.nc)?}}.v
// CHECK: st.global.{{[bu]}}16
// CHECK-NOT: {{(ld|st)}}.global{{(.nc)?}}.v
// CHECK: .visible .entry bf16_0_finish(
func.func @bf16(%x: tensor<33x1987xbf16>) -> (tensor<33x1987xbf16>, tensor<33xf32>, tensor<1987xf32>) {
  %s:3 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 3, threads = 512, groups = 2, rows = 1, width = 1, vectors = 8,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 63, finish_threads = 64, shared_bytes = 16384>
      (%a = %x : tensor<33x1987xbf16>) -> (tensor<33x1987xbf16>, tensor<33xf32>, tensor<1987xf32>) {
    %y = arith.mulf %a, %a : tensor<33x1987xbf16>
    %r = fusion.reduce add %y dims = [1] : tensor<33x1987xbf16> -> tensor<33xf32>
    %c = fusion.reduce add %y dims = [0] : tensor<33x1987xbf16> -> tensor<1987xf32>
    fusion.yield %y, %r, %c : tensor<33x1987xbf16>, tensor<33xf32>, tensor<1987xf32>
  }
  return %s#0, %s#1, %s#2 : tensor<33x1987xbf16>, tensor<33xf32>, tensor<1987xf32>
}

// -----

// Whole tiles need no mask: the row index is clamped only in the one tile that has
// fewer rows, apart from the loop.
// GPU: gpu.func @f32_0_rows(
// GPU: scf.for
// GPU-NOT: arith.minui %{{.*}}, %c32 : index
// GPU: scf.yield
// GPU: arith.minui %{{.*}}, %c32 : index
// GPU: gpu.func @f32_0_finish(
// GPU: gpu.func @whole_0_rows(
// GPU-NOT: arith.minui
// GPU: gpu.func @whole_0_finish(
func.func @whole(%x: tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
  %s:3 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 4, threads = 32, groups = 1, rows = 2, width = 4, vectors = 2,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 8, finish_threads = 64, shared_bytes = 512>
      (%a = %x : tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
    %y = arith.mulf %a, %a : tensor<64x256xf32>
    %r = fusion.reduce add %y dims = [1] : tensor<64x256xf32> -> tensor<64xf32>
    %c = fusion.reduce add %y dims = [0] : tensor<64x256xf32> -> tensor<256xf32>
    fusion.yield %y, %r, %c : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
  }
  return %s#0, %s#1, %s#2 : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
}

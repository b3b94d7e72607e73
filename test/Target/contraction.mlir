// A multiply and an add become one instruction only if both carry contract: ptxas
// may contract what has no rounding modifier, so one of them always has .rn.
// RUN: fusion-opt %s --fusion-to-ptx -split-input-file | %{python} %S/../Inputs/extract-ptx.py | FileCheck %s

// CHECK: .visible .entry both_0_rows(
// CHECK: fma.rn.f32
// CHECK: .visible .entry both_0_finish(
func.func @both(%x: tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
  %s:3 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 4, threads = 64, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 8, finish_threads = 64, shared_bytes = 256>
      (%a = %x : tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
    %y = arith.mulf %a, %a fastmath<contract> : tensor<64x256xf32>
    %r = fusion.reduce add %y dims = [1] fastmath<contract> : tensor<64x256xf32> -> tensor<64xf32>
    %c = fusion.reduce add %y dims = [0] fastmath<contract> : tensor<64x256xf32> -> tensor<256xf32>
    fusion.yield %y, %r, %c : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
  }
  return %s#0, %s#1, %s#2 : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
}

// -----

// CHECK: .visible .entry multiply_only_0_rows(
// CHECK-NOT: fma
// CHECK: mul.{{(rn.)?}}f32
// CHECK-NOT: fma
// CHECK: add.rn.f32
// CHECK-NOT: fma
// CHECK: .visible .entry multiply_only_0_finish(
// CHECK-NOT: fma
// CHECK: ret;
func.func @multiply_only(%x: tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
  %s:3 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 4, threads = 64, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 8, finish_threads = 64, shared_bytes = 256>
      (%a = %x : tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
    %y = arith.mulf %a, %a fastmath<contract> : tensor<64x256xf32>
    %r = fusion.reduce add %y dims = [1] : tensor<64x256xf32> -> tensor<64xf32>
    %c = fusion.reduce add %y dims = [0] : tensor<64x256xf32> -> tensor<256xf32>
    fusion.yield %y, %r, %c : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
  }
  return %s#0, %s#1, %s#2 : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
}

// -----

// CHECK: .visible .entry add_only_0_rows(
// CHECK-NOT: fma
// CHECK: mul.rn.f32
// CHECK-NOT: fma
// CHECK: add.{{(rn.)?}}f32
// CHECK-NOT: fma
// CHECK: .visible .entry add_only_0_finish(
// CHECK-NOT: fma
// CHECK: ret;
func.func @add_only(%x: tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
  %s:3 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 4, threads = 64, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 8, finish_threads = 64, shared_bytes = 256>
      (%a = %x : tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
    %y = arith.mulf %a, %a : tensor<64x256xf32>
    %r = fusion.reduce add %y dims = [1] fastmath<contract> : tensor<64x256xf32> -> tensor<64xf32>
    %c = fusion.reduce add %y dims = [0] fastmath<contract> : tensor<64x256xf32> -> tensor<256xf32>
    fusion.yield %y, %r, %c : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
  }
  return %s#0, %s#1, %s#2 : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
}

// -----

// CHECK: .visible .entry neither_0_rows(
// CHECK-NOT: fma
// CHECK: mul.rn.f32
// CHECK-NOT: fma
// CHECK: add.rn.f32
// CHECK-NOT: fma
// CHECK: .visible .entry neither_0_finish(
// CHECK-NOT: fma
// CHECK: ret;
func.func @neither(%x: tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
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

// Nor does any other flag reach the code: division and square root are rounded to
// nearest, denormals are kept.
// CHECK: .visible .entry exact_0_rows(
// CHECK-NOT: .ftz
// CHECK-NOT: .approx
// CHECK-DAG: div.rn.f32
// CHECK-DAG: sqrt.rn.f32
// CHECK-NOT: .ftz
// CHECK-NOT: .approx
// CHECK: .visible .entry exact_0_finish(
func.func @exact(%x: tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
  %s:3 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 4, threads = 64, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 8, finish_threads = 64, shared_bytes = 256>
      (%a = %x : tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
    %q = math.sqrt %a : tensor<64x256xf32>
    %y = arith.divf %a, %q : tensor<64x256xf32>
    %r = fusion.reduce add %y dims = [1] : tensor<64x256xf32> -> tensor<64xf32>
    %c = fusion.reduce add %y dims = [0] : tensor<64x256xf32> -> tensor<256xf32>
    fusion.yield %y, %r, %c : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
  }
  return %s#0, %s#1, %s#2 : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
}

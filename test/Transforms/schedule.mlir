// Each segment gets the schedule that its scheduler plans for the device; one
// that is there is kept.
// RUN: fusion-opt %s --fusion-schedule | FileCheck %s --check-prefixes=CHECK,H200
// RUN: fusion-opt %s --fusion-schedule=chip=sm_80 | FileCheck %s --check-prefixes=CHECK,A100
// RUN: fusion-opt %s --fusion-schedule=device=h100 | FileCheck %s --check-prefixes=CHECK,H200
// RUN: fusion-opt %s --fusion-schedule | fusion-opt --fusion-schedule=chip=sm_80 | FileCheck %s --check-prefixes=CHECK,H200
// RUN: fusion-opt %s --fusion-schedule --fusion-verify-scheduled -o /dev/null
// RUN: fusion-opt %s --fusion-schedule=plain-launches | FileCheck %s --check-prefix=PLAIN
// RUN: not fusion-opt %s --fusion-schedule=chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not fusion-opt %s --fusion-schedule=device=h300 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: fusion-opt %s --fusion-schedule --remarks-filter=fusion-schedule --remark-policy=all -verify-diagnostics -o /dev/null

// CHIP: error: expected a chip among {{.*}}, but got 'sm_1'
// DEVICE: error: expected a device among {{.*}}, but got 'h300'

// A block a multiprocessor; 16-byte accesses of f32.
// CHECK-LABEL: func @planned
// CHECK: fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
// H200-SAME: blocks = 132,
// A100-SAME: blocks = 108,
// CHECK-SAME: width = 4,
// CHECK-SAME: shared_bytes = {{[0-9]+}}>
// CHECK-SAME: (%{{.*}} = %{{.*}} : tensor<16384x1024xf32>)
func.func @planned(%x: tensor<16384x1024xf32>) -> (tensor<16384xf32>, tensor<1024xf32>) {
  // expected-remark-re@+1 {{[Analysis] schedule | Category:fusion-schedule | bytes={{[1-9][0-9]*}}, microseconds={{[1-9].*}}, registersPerThread={{[1-9][0-9]*}}, scheduler=inner-outer-persistent, sharedBytes=}}
  %s:2 = fusion.segment "inner-outer-persistent" (%a = %x : tensor<16384x1024xf32>) -> (tensor<16384xf32>, tensor<1024xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<16384x1024xf32> -> tensor<16384xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<16384x1024xf32> -> tensor<1024xf32>
    fusion.yield %r, %c : tensor<16384xf32>, tensor<1024xf32>
  }
  return %s#0, %s#1 : tensor<16384xf32>, tensor<1024xf32>
}

// Extents that no vector divides: single elements.
// CHECK-LABEL: func @odd
// CHECK: schedule = #fusion.inner_outer<{{.*}}width = 1,
func.func @odd(%x: tensor<33x1987xf32>) -> (tensor<33xf32>, tensor<1987xf32>) {
  // expected-remark@+1 {{[Analysis] schedule}}
  %s:2 = fusion.segment "inner-outer-persistent" (%a = %x : tensor<33x1987xf32>) -> (tensor<33xf32>, tensor<1987xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<33x1987xf32> -> tensor<33xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<33x1987xf32> -> tensor<1987xf32>
    fusion.yield %r, %c : tensor<33xf32>, tensor<1987xf32>
  }
  return %s#0, %s#1 : tensor<33xf32>, tensor<1987xf32>
}

// Written by hand: kept as it is, on every device.
// CHECK-LABEL: func @by_hand
// CHECK: schedule = #fusion.inner_outer<blocks = 2, threads = 64, groups = 1, rows = 2, width = 2, vectors = 1, loader = direct, stages = 1, keep = registers, params = registers, finish_blocks = 1, finish_threads = 32, shared_bytes = 32>
func.func @by_hand(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 64, groups = 1, rows = 2, width = 2, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 1, finish_threads = 32, shared_bytes = 32>
      (%a = %x : tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
    fusion.yield %r, %c : tensor<4xf32>, tensor<8xf32>
  }
  return %s#0, %s#1 : tensor<4xf32>, tensor<8xf32>
}

// Twenty-five column reductions of 8 bytes: 256 threads of the finish kernel
// would share more than the 48 KiB that can be of fixed size.
// PLAIN-LABEL: func @many_columns
// PLAIN: finish_threads = 224,
func.func @many_columns(%x: tensor<64x128xf64>) -> (tensor<64xf64>, tensor<128xf64>) {
  // expected-remark-re@+1 {{[Analysis] schedule | Category:fusion-schedule | bytes={{[1-9][0-9]*}}, microseconds={{[1-9].*}}, registersPerThread={{[1-9][0-9]*}}, scheduler=inner-outer-persistent, sharedBytes=}}
  %s:2 = fusion.segment "inner-outer-persistent" (%a = %x : tensor<64x128xf64>) -> (tensor<64xf64>, tensor<128xf64>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x128xf64> -> tensor<64xf64>
    %c0 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c1 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c2 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c3 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c4 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c5 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c6 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c7 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c8 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c9 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c10 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c11 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c12 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c13 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c14 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c15 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c16 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c17 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c18 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c19 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c20 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c21 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c22 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c23 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    %c24 = fusion.reduce add %a dims = [0] : tensor<64x128xf64> -> tensor<128xf64>
    fusion.yield %r, %c0 : tensor<64xf64>, tensor<128xf64>
  }
  return %s#0, %s#1 : tensor<64xf64>, tensor<128xf64>
}

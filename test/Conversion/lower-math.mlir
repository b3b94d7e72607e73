// Math whose accuracy a direct lowering would miss, or that has none.
// RUN: fusion-opt %s --pass-pipeline='builtin.module(gpu.module(fusion-lower-math))' -split-input-file -verify-diagnostics | FileCheck %s
// Upstream's conversion takes what is left.
// RUN: fusion-opt %s --pass-pipeline='builtin.module(gpu.module(fusion-lower-math,convert-gpu-to-nvvm))' -split-input-file -verify-diagnostics | FileCheck %s --check-prefix=NVVM

// NVVM: gpu.module @float
// NVVM-NOT: math.
// NVVM: gpu.module @integer
// NVVM-NOT: math.

gpu.module @float {
  // Correctly rounded unless afn: by name, since the conversion to NVVM refuses
  // the operation llvm.intr.sqrt.
  // CHECK-LABEL: func @sqrt
  // CHECK-SAME: (%[[X:.*]]: f32, %[[V:.*]]: vector<4xf64>)
  // CHECK: llvm.call_intrinsic "llvm.sqrt"(%[[X]]) : (f32) -> f32
  // CHECK: llvm.call_intrinsic "llvm.sqrt"(%[[V]]) : (vector<4xf64>) -> vector<4xf64>
  // CHECK: math.sqrt %[[X]] fastmath<afn>
  func.func @sqrt(%x: f32, %v: vector<4xf64>) -> (f32, vector<4xf64>, f32) {
    %0 = math.sqrt %x : f32
    %1 = math.sqrt %v : vector<4xf64>
    %2 = math.sqrt %x fastmath<afn> : f32
    return %0, %1, %2 : f32, vector<4xf64>, f32
  }

  // 1 / sqrt: two roundings to nearest.
  // CHECK-LABEL: func @rsqrt
  // CHECK-SAME: (%[[V:.*]]: vector<4xf32>)
  // CHECK: %[[S:.*]] = llvm.call_intrinsic "llvm.sqrt"(%[[V]])
  // CHECK: %[[ONE:.*]] = arith.constant dense<1.0{{.*}}> : vector<4xf32>
  // CHECK: arith.divf %[[ONE]], %[[S]]
  // CHECK: math.rsqrt %[[V]] fastmath<afn>
  func.func @rsqrt(%v: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
    %0 = math.rsqrt %v : vector<4xf32>
    %1 = math.rsqrt %v fastmath<afn> : vector<4xf32>
    return %0, %1 : vector<4xf32>, vector<4xf32>
  }

  // Narrow types: in f32, rounded once.
  // CHECK-LABEL: func @narrow
  // CHECK: %[[W:.*]] = arith.extf %{{.*}} : vector<2xbf16> to vector<2xf32>
  // CHECK: %[[S:.*]] = llvm.call_intrinsic "llvm.sqrt"(%[[W]]) : (vector<2xf32>) -> vector<2xf32>
  // CHECK: arith.truncf %[[S]] : vector<2xf32> to vector<2xbf16>
  // CHECK: %[[H:.*]] = arith.extf %{{.*}} : f16 to f32
  // CHECK: %[[Q:.*]] = llvm.call_intrinsic "llvm.sqrt"(%[[H]])
  // CHECK: %[[D:.*]] = arith.divf %{{.*}}, %[[Q]] : f32
  // CHECK: arith.truncf %[[D]] : f32 to f16
  func.func @narrow(%v: vector<2xbf16>, %h: f16) -> (vector<2xbf16>, f16) {
    %0 = math.sqrt %v : vector<2xbf16>
    %1 = math.rsqrt %h : f16
    return %0, %1 : vector<2xbf16>, f16
  }

  // With afn one product and one instruction, an element at a time.
  // CHECK-LABEL: func @exp
  // CHECK-SAME: (%[[X:.*]]: f32, %[[V:.*]]: vector<2xbf16>, %[[D:.*]]: f64)
  // CHECK: math.exp %[[X]] : f32
  // CHECK: %[[L:.*]] = arith.constant 1.44269502 : f32
  // CHECK: %[[P:.*]] = arith.mulf %[[X]], %[[L]] : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%[[P]]) : (f32) -> f32
  // CHECK: %[[W:.*]] = arith.extf %[[V]] : vector<2xbf16> to vector<2xf32>
  // CHECK: %[[Q:.*]] = arith.mulf %[[W]], %{{.*}} : vector<2xf32>
  // CHECK: %[[Q0:.*]] = vector.extract %[[Q]][0]
  // CHECK: %[[E0:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%[[Q0]])
  // CHECK: vector.insert %[[E0]], %{{.*}} [0]
  // CHECK: %[[Q1:.*]] = vector.extract %[[Q]][1]
  // CHECK: %[[E1:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%[[Q1]])
  // CHECK: %[[R:.*]] = vector.insert %[[E1]], %{{.*}} [1]
  // CHECK: arith.truncf %[[R]] : vector<2xf32> to vector<2xbf16>
  // CHECK: math.exp %[[D]] fastmath<afn> : f64
  func.func @exp(%x: f32, %v: vector<2xbf16>, %d: f64) -> (f32, f32, vector<2xbf16>, f64) {
    %0 = math.exp %x : f32
    %1 = math.exp %x fastmath<afn> : f32
    %2 = math.exp %v fastmath<afn> : vector<2xbf16>
    %3 = math.exp %d fastmath<afn> : f64
    return %0, %1, %2, %3 : f32, f32, vector<2xbf16>, f64
  }

  // What has an instruction needs no libdevice.
  // CHECK-LABEL: func @instructions
  // CHECK: "llvm.fabs"
  // CHECK: "llvm.floor"
  // CHECK: "llvm.ceil"
  // CHECK: "llvm.trunc"
  // CHECK: "llvm.roundeven"
  // CHECK: llvm.intr.is.fpclass
  // CHECK-NOT: math.
  // CHECK: return
  func.func @instructions(%x: f32) -> (f32, i1) {
    %0 = math.absf %x : f32
    %1 = math.floor %0 : f32
    %2 = math.ceil %1 : f32
    %3 = math.trunc %2 : f32
    %4 = math.roundeven %3 : f32
    %5 = math.clampf %4 to [%x, %x] : f32
    %6 = math.isnormal %5 : f32
    return %5, %6 : f32, i1
  }

  // Left for libdevice.
  // CHECK-LABEL: func @libdevice
  // CHECK: math.exp
  // CHECK: math.tanh
  func.func @libdevice(%x: f32) -> f32 {
    %0 = math.exp %x : f32
    %1 = math.tanh %0 : f32
    return %1 : f32
  }
}

// -----

gpu.module @integer {
  // The least integer and zero are defined: the flag is false.
  // CHECK-LABEL: func @integers
  // CHECK: %[[F0:.*]] = arith.constant false
  // CHECK: llvm.call_intrinsic "llvm.abs"(%{{.*}}, %[[F0]]) : (i64, i1) -> i64
  // CHECK: %[[F1:.*]] = arith.constant false
  // CHECK: llvm.call_intrinsic "llvm.ctlz"(%{{.*}}, %[[F1]]) : (i64, i1) -> i64
  // CHECK: %[[F2:.*]] = arith.constant false
  // CHECK: llvm.call_intrinsic "llvm.cttz"(%{{.*}}, %[[F2]]) : (vector<4xi32>, i1) -> vector<4xi32>
  // CHECK: llvm.call_intrinsic "llvm.ctpop"(%{{.*}}) : (vector<4xi32>) -> vector<4xi32>
  func.func @integers(%x: i64, %v: vector<4xi32>) -> (i64, vector<4xi32>) {
    %0 = math.absi %x : i64
    %1 = math.ctlz %0 : i64
    %2 = math.cttz %v : vector<4xi32>
    %3 = math.ctpop %2 : vector<4xi32>
    return %1, %3 : i64, vector<4xi32>
  }
}

// -----

gpu.module @none {
  func.func @ipowi(%x: i32) -> i32 {
    // expected-error@+1 {{'math.ipowi' op has no lowering for NVIDIA GPUs}}
    %0 = math.ipowi %x, %x : i32
    return %0 : i32
  }
}

// -----

// The lower bound first, so that it loses where the bounds cross.
// CHECK-LABEL: func.func @clamp(
// CHECK-SAME: %[[X:.*]]: f32, %[[LOW:.*]]: f32, %[[HIGH:.*]]: f32)
// CHECK-NEXT: %[[A:.*]] = arith.maximumf %[[X]], %[[LOW]] fastmath<nnan> : f32
// CHECK-NEXT: %[[B:.*]] = arith.minimumf %[[A]], %[[HIGH]] fastmath<nnan> : f32
// CHECK-NEXT: return %[[B]]
gpu.module @clamps {
  func.func @clamp(%x: f32, %low: f32, %high: f32) -> f32 {
    %0 = math.clampf %x to [%low, %high] fastmath<nnan> : f32
    return %0 : f32
  }
}

// -----

// f64 has no instruction that gives NaN for one; max.f64 orders zeros.
// CHECK-LABEL: func.func @extrema(
// CHECK-SAME: %[[X:.*]]: f64, %[[Y:.*]]: f64, %[[V:.*]]: vector<2xf64>, %[[S:.*]]: f32)
// CHECK: %[[MAX:.*]] = arith.maxnumf %[[X]], %[[Y]] fastmath<contract> : f64
// CHECK: %[[UNORDERED:.*]] = arith.cmpf uno, %[[X]], %[[Y]] : f64
// CHECK: %[[NAN:.*]] = arith.constant 0x7FF8000000000000 : f64
// CHECK: arith.select %[[UNORDERED]], %[[NAN]], %[[MAX]] : f64
// CHECK: %[[MIN:.*]] = arith.minnumf %[[V]], %[[V]] : vector<2xf64>
// CHECK: arith.cmpf uno, %[[V]], %[[V]] : vector<2xf64>
// CHECK: arith.constant dense<0x7FF8000000000000> : vector<2xf64>
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[MIN]] : vector<2xi1>, vector<2xf64>
// CHECK: %[[ANY:.*]] = arith.maxnumf %[[X]], %[[Y]] fastmath<nnan> : f64
// CHECK-NOT: arith.cmpf
// CHECK: arith.maximumf %[[S]], %[[S]] : f32
// CHECK: arith.maxnumf %{{.*}}, %[[X]] : f64
// CHECK: arith.cmpf uno
// CHECK: arith.minnumf %{{.*}}, %[[Y]] : f64
// CHECK: arith.cmpf uno
gpu.module @extrema {
  func.func @extrema(%x: f64, %y: f64, %v: vector<2xf64>, %s: f32) -> (f64, vector<2xf64>, f64, f32, f64) {
    %0 = arith.maximumf %x, %y fastmath<contract> : f64
    %1 = arith.minimumf %v, %v : vector<2xf64>
    %2 = arith.maximumf %x, %y fastmath<nnan> : f64
    %3 = arith.maximumf %s, %s : f32
    %4 = math.clampf %0 to [%x, %y] : f64
    return %0, %1, %2, %3, %4 : f64, vector<2xf64>, f64, f32, f64
  }
}

// RUN: fusion-opt %s --pass-pipeline='builtin.module(gpu.module(fusion-lower-float8,canonicalize,cse))' -split-input-file | FileCheck %s

gpu.module @casts {
  // The fields move to where f32 has them; a power of two makes up for the bias.
  // CHECK-LABEL: func.func @widen
  func.func @widen(%x: f8E4M3FN) -> f32 {
    // CHECK-DAG: %[[SCALE:.*]] = arith.constant 1.32922{{.*}}E+36 : f32
    // CHECK: %[[BYTE:.*]] = arith.bitcast %{{.*}} : f8E4M3FN to i8
    // CHECK: arith.extui %[[BYTE]] : i8 to i32
    // CHECK: arith.mulf %{{.*}}, %[[SCALE]] : f32
    // CHECK-NOT: f8E4M3FN
    // CHECK: return %{{.*}} : f32
    %y = arith.extf %x : f8E4M3FN to f32
    return %y : f32
  }

  // CHECK-LABEL: func.func @narrow
  func.func @narrow(%x: vector<4xf64>) -> vector<4xf8E5M2> {
    // An f64 is rounded to odd first, so that the second rounding is the only one.
    // CHECK: arith.truncf %{{.*}} : vector<4xf64> to vector<4xf32>
    // CHECK: arith.cmpf one
    // CHECK: arith.addf %{{.*}} : vector<4xf32>
    // CHECK: %[[BYTES:.*]] = arith.trunci %{{.*}} : vector<4xi32> to vector<4xi8>
    // CHECK: arith.bitcast %[[BYTES]] : vector<4xi8> to vector<4xf8E5M2>
    %y = arith.truncf %x : vector<4xf64> to vector<4xf8E5M2>
    return %y : vector<4xf8E5M2>
  }

  // Another rounding mode is left.
  // CHECK-LABEL: func.func @mode
  func.func @mode(%x: f32) -> f8E5M2 {
    // CHECK: arith.truncf %{{.*}} to_nearest_away : f32 to f8E5M2
    %y = arith.truncf %x to_nearest_away : f32 to f8E5M2
    return %y : f8E5M2
  }
}

// -----

gpu.module @operations {
  // CHECK-LABEL: func.func @computed
  func.func @computed(%x: f8E5M2, %y: f8E5M2) -> (f8E5M2, i1) {
    // CHECK-NOT: arith.addf {{.*}} : f8E5M2
    // CHECK: arith.addf %{{.*}} : f32
    // CHECK: math.exp %{{.*}} : f32
    // CHECK: arith.cmpf olt, %{{.*}} : f32
    %0 = arith.addf %x, %y : f8E5M2
    %1 = math.exp %0 : f8E5M2
    %2 = arith.cmpf olt, %0, %x : f8E5M2
    return %1, %2 : f8E5M2, i1
  }

  // Bytes that are only passed on stay.
  // CHECK-LABEL: func.func @passed_on
  func.func @passed_on(%c: i1, %x: f8E4M3FN) -> f8E4M3FN {
    // CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f8E4M3FN
    // CHECK: arith.select %{{.*}}, %{{.*}}, %[[ONE]] : f8E4M3FN
    %one = arith.constant 1.0 : f8E4M3FN
    %y = arith.select %c, %x, %one : f8E4M3FN
    return %y : f8E4M3FN
  }
}

// An i1 is a byte in memory. Masks of elements, rows and columns are read and written
// by each loader and from each place where params wait.
// RUN: fusion-runner %s --function=bulk --device=sim --verify | FileCheck %s
// RUN: fusion-runner %s --function=direct --device=sim --verify | FileCheck %s
// RUN: fusion-runner %s --function=shared --device=sim --verify | FileCheck %s
// RUN: fusion-opt %s --fusion-to-gpu | FileCheck %s --check-prefix=IR

// CHECK: result 0: passed
// CHECK: result 1: passed
// CHECK: result 2: passed
// CHECK: result 3: passed
// CHECK: result 4: passed

// Rows of whole 16 bytes are copied in bulk; threads read bytes of shared memory and
// narrow them, and store bytes.
// IR-LABEL: gpu.func @bulk_0_rows
// IR: nvvm.cp.async.bulk.shared.cluster.global
// IR: vector.load {{.*}} : memref<{{.*}}xi8, #gpu.address_space<workgroup>>, vector<16xi8>
// IR: arith.trunci {{.*}} : vector<16xi8> to vector<16xi1>
// IR: arith.extui {{.*}} : vector<16xi1> to vector<16xi8>
// IR: llvm.store {{.*}} : vector<16xi8>, !llvm.ptr
func.func @bulk(%dy: tensor<18x256xbf16>, %x: tensor<18x256xbf16>, %mask: tensor<18x256xi1>, %rowmask: tensor<18xi1>, %colmask: tensor<256xi1>) -> (tensor<18x256xbf16>, tensor<18x256xi1>, tensor<256xf32>, tensor<256xi1>, tensor<18xi1>) {
  %zero = arith.constant dense<0.0> : tensor<18x256xf32>
  %one = arith.constant dense<100.0> : tensor<18xf32>
  %czero = arith.constant dense<0.0> : tensor<256xf32>
  %0 = arith.extf %dy : tensor<18x256xbf16> to tensor<18x256xf32>
  %1 = arith.extf %x : tensor<18x256xbf16> to tensor<18x256xf32>
  %2 = arith.select %mask, %0, %zero : tensor<18x256xi1>, tensor<18x256xf32>
  %rb = fusion.broadcast %rowmask dims = [0] : tensor<18xi1> -> tensor<18x256xi1>
  %cb = fusion.broadcast %colmask dims = [1] : tensor<256xi1> -> tensor<18x256xi1>
  %3 = arith.select %rb, %2, %1 : tensor<18x256xi1>, tensor<18x256xf32>
  %4 = arith.select %cb, %3, %1 : tensor<18x256xi1>, tensor<18x256xf32>
  %r = fusion.reduce add %4 dims = [1] : tensor<18x256xf32> -> tensor<18xf32>
  %c = fusion.reduce add %4 dims = [0] : tensor<18x256xf32> -> tensor<256xf32>
  %big = arith.cmpf ogt, %r, %one : tensor<18xf32>
  %pos = arith.cmpf ogt, %c, %czero : tensor<256xf32>
  %b = fusion.broadcast %r dims = [0] : tensor<18xf32> -> tensor<18x256xf32>
  %5 = arith.mulf %4, %b : tensor<18x256xf32>
  %6 = arith.truncf %5 : tensor<18x256xf32> to tensor<18x256xbf16>
  %7 = arith.cmpf ogt, %5, %zero : tensor<18x256xf32>
  %8 = arith.andi %7, %mask : tensor<18x256xi1>
  return %6, %8, %c, %pos, %big : tensor<18x256xbf16>, tensor<18x256xi1>, tensor<256xf32>, tensor<256xi1>, tensor<18xi1>
}

// IR-LABEL: gpu.func @direct_0_rows
// IR: llvm.load {{.*}} : !llvm.ptr -> vector<2xi8>
func.func @direct(%dy: tensor<9x250xbf16>, %x: tensor<9x250xbf16>, %mask: tensor<9x250xi1>, %rowmask: tensor<9xi1>, %colmask: tensor<250xi1>) -> (tensor<9x250xbf16>, tensor<9x250xi1>, tensor<250xf32>, tensor<250xi1>, tensor<9xi1>) {
  %zero = arith.constant dense<0.0> : tensor<9x250xf32>
  %one = arith.constant dense<100.0> : tensor<9xf32>
  %czero = arith.constant dense<0.0> : tensor<250xf32>
  %0 = arith.extf %dy : tensor<9x250xbf16> to tensor<9x250xf32>
  %1 = arith.extf %x : tensor<9x250xbf16> to tensor<9x250xf32>
  %2 = arith.select %mask, %0, %zero : tensor<9x250xi1>, tensor<9x250xf32>
  %rb = fusion.broadcast %rowmask dims = [0] : tensor<9xi1> -> tensor<9x250xi1>
  %cb = fusion.broadcast %colmask dims = [1] : tensor<250xi1> -> tensor<9x250xi1>
  %3 = arith.select %rb, %2, %1 : tensor<9x250xi1>, tensor<9x250xf32>
  %4 = arith.select %cb, %3, %1 : tensor<9x250xi1>, tensor<9x250xf32>
  %r = fusion.reduce add %4 dims = [1] : tensor<9x250xf32> -> tensor<9xf32>
  %c = fusion.reduce add %4 dims = [0] : tensor<9x250xf32> -> tensor<250xf32>
  %big = arith.cmpf ogt, %r, %one : tensor<9xf32>
  %pos = arith.cmpf ogt, %c, %czero : tensor<250xf32>
  %b = fusion.broadcast %r dims = [0] : tensor<9xf32> -> tensor<9x250xf32>
  %5 = arith.mulf %4, %b : tensor<9x250xf32>
  %6 = arith.truncf %5 : tensor<9x250xf32> to tensor<9x250xbf16>
  %7 = arith.cmpf ogt, %5, %zero : tensor<9x250xf32>
  %8 = arith.andi %7, %mask : tensor<9x250xi1>
  return %6, %8, %c, %pos, %big : tensor<9x250xbf16>, tensor<9x250xi1>, tensor<250xf32>, tensor<250xi1>, tensor<9xi1>
}

// The first groups bring params to shared memory as bytes; values are computed again.
// IR-LABEL: gpu.func @shared_0_rows
// IR: vector.store {{.*}}xi8, #gpu.address_space<workgroup>>
func.func @shared(%arg0: tensor<18x256xbf16>, %arg1: tensor<18x256xbf16>, %arg2: tensor<18x256xi1>, %arg3: tensor<18xi1>, %arg4: tensor<256xi1>) -> (tensor<18x256xbf16>, tensor<18x256xi1>, tensor<256xf32>, tensor<256xi1>, tensor<18xi1>) {
  %0:5 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<blocks = 9, threads = 32, groups = 2, rows = 1, width = 16, vectors = 1, loader = bulk_copy, stages = 4, keep = shared, params = shared, finish = grid_barrier, finish_blocks = 8, finish_threads = 32, shared_bytes = 40960> (%arg5 = %arg0 : tensor<18x256xbf16>, %arg6 = %arg1 : tensor<18x256xbf16>, %arg7 = %arg2 : tensor<18x256xi1>, %arg8 = %arg3 : tensor<18xi1>, %arg9 = %arg4 : tensor<256xi1>) -> (tensor<256xf32>, tensor<18xi1>, tensor<256xi1>, tensor<18x256xbf16>, tensor<18x256xi1>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<18x256xf32>
    %cst_0 = arith.constant dense<1.000000e+02> : tensor<18xf32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<256xf32>
    %1 = arith.extf %arg5 : tensor<18x256xbf16> to tensor<18x256xf32>
    %2 = arith.extf %arg6 : tensor<18x256xbf16> to tensor<18x256xf32>
    %3 = arith.select %arg7, %1, %cst : tensor<18x256xi1>, tensor<18x256xf32>
    %4 = fusion.broadcast %arg8 dims = [0] : tensor<18xi1> -> tensor<18x256xi1>
    %5 = fusion.broadcast %arg9 dims = [1] : tensor<256xi1> -> tensor<18x256xi1>
    %6 = arith.select %4, %3, %2 : tensor<18x256xi1>, tensor<18x256xf32>
    %7 = arith.select %5, %6, %2 : tensor<18x256xi1>, tensor<18x256xf32>
    %8 = fusion.reduce add %7 dims = [1] : tensor<18x256xf32> -> tensor<18xf32>
    %9 = fusion.reduce add %7 dims = [0] : tensor<18x256xf32> -> tensor<256xf32>
    %10 = arith.cmpf ogt, %8, %cst_0 : tensor<18xf32>
    %11 = arith.cmpf ogt, %9, %cst_1 : tensor<256xf32>
    %12 = fusion.broadcast %8 dims = [0] : tensor<18xf32> -> tensor<18x256xf32>
    %13 = arith.mulf %7, %12 : tensor<18x256xf32>
    %14 = arith.truncf %13 : tensor<18x256xf32> to tensor<18x256xbf16>
    %15 = arith.cmpf ogt, %13, %cst : tensor<18x256xf32>
    %16 = arith.andi %15, %arg7 : tensor<18x256xi1>
    fusion.yield %9, %10, %11, %14, %16 : tensor<256xf32>, tensor<18xi1>, tensor<256xi1>, tensor<18x256xbf16>, tensor<18x256xi1>
  }
  return %0#3, %0#4, %0#0, %0#2, %0#1 : tensor<18x256xbf16>, tensor<18x256xi1>, tensor<256xf32>, tensor<256xi1>, tensor<18xi1>
}

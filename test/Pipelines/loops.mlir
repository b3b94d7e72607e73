// Kernels are launched from the bodies of counted loops and of conditions.
// RUN: fusion-opt %s --fusion-to-gpu | FileCheck %s
// RUN: fusion-opt %s --fusion-to-ptx -o %t

// DEFINE: %{run} = fusion-runner %s --device=sim --verify
// RUN: %{run} --function=rounds --input=2=const:0
// RUN: %{run} --function=rounds --input=2=const:1
// RUN: %{run} --function=rounds --input=2=const:4
// RUN: %{run} --function=dynamic --shape=0=33x128 --input=2=const:2 --input=3=const:0
// RUN: %{run} --function=dynamic --shape=0=33x128 --input=2=const:2 --input=3=const:1
// RUN: %{run} --function=rows
// RUN: %{run} --function=either --input=1=const:0
// RUN: %{run} --function=either --input=1=const:1
// RUN: %{run} --function=halves --input=1=const:0
// RUN: %{run} --function=halves --input=1=const:3
// RUN: %{run} --function=fewer --shape=0=9x128 --input=1=const:2
// RUN: %{run} --function=strided --input=1=const:0
// RUN: %{run} --function=strided --input=1=const:3
// RUN: %{run} --function=parts --input=1=const:0
// RUN: %{run} --function=parts --input=1=const:1
// RUN: not fusion-runner %s --device=sim --function=steps --input=1=const:0 2>&1 | FileCheck %s --check-prefix=STEP
// STEP: error: expected a step of at least 1, but got 0

// The dynamic rows as well where only the launch knows them.
// RUN: sed -n -e '/^func.func @dynamic(/,/^}/p' %s > %t.mlir
// RUN: fusion-opt %t.mlir --fusion-to-gpu -o %t.gpu.mlir
// RUN: fusion-runner %t.gpu.mlir --reference=%t.mlir --device=sim --verify --input=0=rand --input=1=rand --shape=0=33x128 --input=2=const:3 --input=3=const:0

// Carried values change places; the first round reads the arguments themselves.
// CHECK-LABEL: func.func @rounds(
// CHECK-SAME: %[[X:.*]]: memref<64x1024xf32>, %[[Y:.*]]: memref<64x1024xf32>,
// CHECK: "expected argument 0 to start at a multiple of 16 bytes"
// CHECK: "expected argument 1 to start at a multiple of 16 bytes"
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]], %[[B:.*]] = %[[Y]], %[[S:.*]] = %{{.*}})
// CHECK: %[[M:.*]] = memref.alloc() : memref<64x1024xf32>
// CHECK: fusion.launch_func cooperative @rounds_{{.*}}%[[A]]
// CHECK: %[[T:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[S]])
// CHECK: gpu.launch_func
// CHECK: scf.yield
// CHECK: memref.copy %[[B]], %[[NEXT:.*]] : memref<64x1024xf32>
// CHECK: scf.yield %[[NEXT]], %[[M]], %[[T]]
func.func @rounds(%x: tensor<64x1024xf32>, %y: tensor<64x1024xf32>, %n: index) -> (tensor<64x1024xf32>, tensor<64x1024xf32>, tensor<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant dense<0.0> : tensor<1024xf32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y, %s = %zero) -> (tensor<64x1024xf32>, tensor<64x1024xf32>, tensor<1024xf32>) {
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %splat = tensor.splat %f : tensor<64x1024xf32>
    %shifted = arith.addf %a, %splat : tensor<64x1024xf32>
    %sum = fusion.reduce add %shifted dims = [1] : tensor<64x1024xf32> -> tensor<64xf32>
    %sum_b = fusion.broadcast %sum dims = [0] : tensor<64xf32> -> tensor<64x1024xf32>
    %m = arith.subf %shifted, %sum_b : tensor<64x1024xf32>
    %column = fusion.reduce add %m dims = [0] : tensor<64x1024xf32> -> tensor<1024xf32>
    %t = scf.for %j = %c0 to %c3 step %c1 iter_args(%u = %s) -> (tensor<1024xf32>) {
      %v = arith.addf %u, %column : tensor<1024xf32>
      scf.yield %v : tensor<1024xf32>
    }
    scf.yield %b, %m, %t : tensor<64x1024xf32>, tensor<64x1024xf32>, tensor<1024xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<64x1024xf32>, tensor<64x1024xf32>, tensor<1024xf32>
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: scf.for
// CHECK: scf.if
// CHECK: gpu.launch_func
// CHECK: } else {
// CHECK: gpu.launch_func
func.func @dynamic(%x: tensor<?x128xf32>, %w: tensor<128xf32>, %n: index, %c: i1) -> (tensor<?x128xf32>, tensor<128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %s = %w) -> (tensor<?x128xf32>, tensor<128xf32>) {
    %v = scf.if %c -> tensor<?x128xf32> {
      %t = math.tanh %a : tensor<?x128xf32>
      scf.yield %t : tensor<?x128xf32>
    } else {
      %q = fusion.reduce add %a dims = [1] : tensor<?x128xf32> -> tensor<?xf32>
      %b = fusion.broadcast %q dims = [0] : tensor<?xf32> -> tensor<?x128xf32>
      %o = arith.mulf %a, %b : tensor<?x128xf32>
      scf.yield %o : tensor<?x128xf32>
    }
    %u = fusion.reduce add %v dims = [0] : tensor<?x128xf32> -> tensor<128xf32>
    %z = arith.addf %u, %s : tensor<128xf32>
    scf.yield %v, %z : tensor<?x128xf32>, tensor<128xf32>
  }
  return %r#0, %r#1 : tensor<?x128xf32>, tensor<128xf32>
}

// Rows are written into one copy of the argument.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %{{.*}}: memref<8x256xf32>, %[[INIT:.*]]: memref<8x256xf32>)
// CHECK: memref.copy %[[INIT]], %[[NEW:.*]] :
// CHECK: scf.for
// CHECK: gpu.launch_func
// CHECK: %[[ROW:.*]] = memref.subview %[[NEW]][
// CHECK: memref.copy %{{.*}}, %[[ROW]]
func.func @rows(%x: tensor<8x256xf32>, %init: tensor<8x256xf32>) -> (tensor<8x256xf32>, tensor<8x256xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %init) -> (tensor<8x256xf32>) {
    %s = tensor.extract_slice %x[%i, 0] [1, 256] [1, 1] : tensor<8x256xf32> to tensor<1x256xf32>
    %p = tensor.extract_slice %acc[0, 0] [1, 256] [1, 1] : tensor<8x256xf32> to tensor<1x256xf32>
    %e = math.exp %s : tensor<1x256xf32>
    %q = arith.addf %e, %p : tensor<1x256xf32>
    %n = tensor.insert_slice %q into %acc[%i, 0] [1, 256] [1, 1] : tensor<1x256xf32> into tensor<8x256xf32>
    scf.yield %n : tensor<8x256xf32>
  }
  %z = arith.addf %init, %r : tensor<8x256xf32>
  return %r, %z : tensor<8x256xf32>, tensor<8x256xf32>
}

// CHECK-LABEL: func.func @either(
// CHECK: "expected argument 0 to start at a multiple of 16 bytes"
func.func @either(%x: tensor<8x256xf32>, %c: i1) -> tensor<8x256xf32> {
  %r = scf.if %c -> (tensor<8x256xf32>) {
    scf.yield %x : tensor<8x256xf32>
  } else {
    %e = math.exp %x : tensor<8x256xf32>
    scf.yield %e : tensor<8x256xf32>
  }
  %z = math.tanh %r : tensor<8x256xf32>
  return %z : tensor<8x256xf32>
}

func.func @steps(%x: tensor<8x256xf32>, %step: index) -> tensor<8x256xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c1 step %step iter_args(%acc = %x) -> (tensor<8x256xf32>) {
    %e = math.exp %acc : tensor<8x256xf32>
    scf.yield %e : tensor<8x256xf32>
  }
  return %r : tensor<8x256xf32>
}

// What a while loop calls has kernels of its own.
// CHECK-LABEL: func.func @repeat(
// CHECK: scf.while
// CHECK: func.call @either(
func.func @repeat(%x: tensor<8x256xf32>, %c: i1) -> tensor<8x256xf32> {
  %r = scf.while (%a = %x) : (tensor<8x256xf32>) -> tensor<8x256xf32> {
    scf.condition(%c) %a : tensor<8x256xf32>
  } do {
  ^bb0(%a: tensor<8x256xf32>):
    %t = func.call @either(%a, %c) : (tensor<8x256xf32>, i1) -> tensor<8x256xf32>
    scf.yield %t : tensor<8x256xf32>
  }
  return %r : tensor<8x256xf32>
}

// What a loop carries may change its extents, also where the first ones are
// known.
// CHECK-LABEL: func.func @halves(
// CHECK: scf.for {{.*}} -> (memref<?x128xf32>)
func.func @halves(%x: tensor<8x128xf32>, %n: index) -> tensor<?x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x0 = tensor.cast %x : tensor<8x128xf32> to tensor<?x128xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x0) -> tensor<?x128xf32> {
    %d = tensor.dim %a, %c0 : tensor<?x128xf32>
    %h = arith.divui %d, %c2 : index
    %u = tensor.extract_slice %a[0, 0] [%h, 128] [1, 1] : tensor<?x128xf32> to tensor<?x128xf32>
    %v = tensor.extract_slice %a[%h, 0] [%h, 128] [1, 1] : tensor<?x128xf32> to tensor<?x128xf32>
    %e = arith.addf %u, %v : tensor<?x128xf32>
    scf.yield %e : tensor<?x128xf32>
  }
  return %r : tensor<?x128xf32>
}

func.func @fewer(%x: tensor<?x128xf32>, %n: index) -> tensor<?x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?x128xf32> {
    %d = tensor.dim %a, %c0 : tensor<?x128xf32>
    %h = arith.subi %d, %c1 : index
    %s = tensor.extract_slice %a[1, 0] [%h, 128] [1, 1] : tensor<?x128xf32> to tensor<?x128xf32>
    %e = math.tanh %s : tensor<?x128xf32>
    scf.yield %e : tensor<?x128xf32>
  }
  return %r : tensor<?x128xf32>
}

// A slice is copied before the loop that starts with it, not in it.
// CHECK-LABEL: func.func @strided(
// CHECK: %[[SLICE:.*]] = memref.subview
// CHECK: memref.copy %[[SLICE]], %[[COPY:.*]] :
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[COPY]]) -> (memref<8x128xf32>)
// CHECK-NOT: memref.copy
// CHECK: gpu.launch_func
// CHECK-NOT: memref.copy
// CHECK: scf.yield
func.func @strided(%x: tensor<8x4x128xf32>, %n: index) -> tensor<8x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tensor.extract_slice %x[0, 1, 0] [8, 1, 128] [1, 1, 1] : tensor<8x4x128xf32> to tensor<8x128xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s) -> tensor<8x128xf32> {
    %e = math.tanh %a : tensor<8x128xf32>
    scf.yield %e : tensor<8x128xf32>
  }
  return %r : tensor<8x128xf32>
}

// Nor has what a condition gives the layout of a slice.
// CHECK-LABEL: func.func @parts(
// CHECK: scf.if {{.*}} -> (memref<4x128xf32>)
func.func @parts(%x: tensor<8x256xf32>, %c: i1) -> tensor<4x128xf32> {
  %r = scf.if %c -> (tensor<4x128xf32>) {
    %s = tensor.extract_slice %x[1, 64] [4, 128] [2, 1] : tensor<8x256xf32> to tensor<4x128xf32>
    scf.yield %s : tensor<4x128xf32>
  } else {
    %s = tensor.extract_slice %x[0, 0] [4, 128] [1, 1] : tensor<8x256xf32> to tensor<4x128xf32>
    %e = math.exp %s : tensor<4x128xf32>
    scf.yield %e : tensor<4x128xf32>
  }
  %z = math.tanh %r : tensor<4x128xf32>
  return %z : tensor<4x128xf32>
}

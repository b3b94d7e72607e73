// Loads of 16 bytes from an input of more than half of L2 get a policy, in a kernel
// that writes little; others stay.
// RUN: fusion-opt %s --pass-pipeline='builtin.module(gpu.module(fusion-hint-streams{chip=sm_90}))' | FileCheck %s
// RUN: not fusion-opt %s --pass-pipeline='builtin.module(gpu.module(fusion-hint-streams{chip=sm_1}))' 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: error: expected a chip among {{.*}}, but got 'sm_1'

gpu.module @m {
  // CHECK-LABEL: gpu.func @reads
  // CHECK-SAME: (%[[X:.*]]: memref<16384x4096xbf16> {llvm.noalias, llvm.readonly}, %[[SMALL:.*]]: memref<4096xbf16> {llvm.noalias, llvm.readonly}
  // CHECK: %[[POLICY:.*]] = llvm.inline_asm {{.*}}"createpolicy.fractional.L2::evict_first.b64 $0, 1.0;", "=l" : () -> i64
  // CHECK: %[[ROW:.*]] = arith.muli %[[I:.*]], %{{.*}} : index
  // CHECK: %[[ELEMENT:.*]] = arith.addi %[[ROW]], %[[J:.*]] : index
  // CHECK: %[[BYTES:.*]] = arith.muli %[[ELEMENT]], %{{.*}} : index
  // CHECK: %[[LOADED:.*]] = llvm.inline_asm {{.*}}"ld.global.nc.L2::cache_hint.v4.b32 {$0, $1, $2, $3}, [$4], $5;", "=r,=r,=r,=r,l,l" %{{.*}}, %[[POLICY]]
  // CHECK: vector.bitcast %{{.*}} : vector<4xi32> to vector<8xbf16>
  // Too small, 8 bytes only, not known to be aligned.
  // CHECK: vector.load %[[SMALL]]
  // CHECK: vector.load %[[X]]{{.*}} vector<4xbf16>
  // CHECK: vector.load %[[X]]{{.*}} : memref<16384x4096xbf16>, vector<8xbf16>
  // CHECK-NOT: llvm.inline_asm
  gpu.func @reads(%x: memref<16384x4096xbf16> {llvm.noalias, llvm.readonly}, %small: memref<4096xbf16> {llvm.noalias, llvm.readonly}, %y: memref<16384xf32>, %i: index, %j: index)
      workgroup(%area: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    %0 = vector.load %x[%i, %j] {alignment = 16 : i64} : memref<16384x4096xbf16>, vector<8xbf16>
    %1 = vector.load %small[%j] {alignment = 16 : i64} : memref<4096xbf16>, vector<8xbf16>
    %2 = vector.load %x[%i, %j] {alignment = 8 : i64} : memref<16384x4096xbf16>, vector<4xbf16>
    %3 = vector.load %x[%i, %j] : memref<16384x4096xbf16>, vector<8xbf16>
    %4 = arith.addf %0, %1 : vector<8xbf16>
    %5 = arith.addf %4, %3 : vector<8xbf16>
    %6 = vector.extract %5[0] : bf16 from vector<8xbf16>
    %7 = vector.extract %2[0] : bf16 from vector<4xbf16>
    %8 = arith.addf %6, %7 : bf16
    %9 = arith.extf %8 : bf16 to f32
    memref.store %9, %y[%i] : memref<16384xf32>
    gpu.return
  }

  // As much is written.
  // CHECK-LABEL: gpu.func @copies
  // CHECK-NOT: llvm.inline_asm
  gpu.func @copies(%x: memref<67108864xf32> {llvm.noalias, llvm.readonly}, %y: memref<67108864xf32>, %i: index) kernel {
    %0 = vector.load %x[%i] {alignment = 16 : i64} : memref<67108864xf32>, vector<4xf32>
    vector.store %0, %y[%i] : memref<67108864xf32>, vector<4xf32>
    gpu.return
  }

  // What is read may be written too.
  // CHECK-LABEL: gpu.func @writable
  // CHECK-NOT: llvm.inline_asm
  gpu.func @writable(%x: memref<67108864xf32>, %i: index) kernel {
    %0 = vector.load %x[%i] {alignment = 16 : i64} : memref<67108864xf32>, vector<4xf32>
    vector.store %0, %x[%i] : memref<67108864xf32>, vector<4xf32>
    gpu.return
  }

  // Nobody knows how much is written.
  // CHECK-LABEL: gpu.func @dynamic
  // CHECK-NOT: llvm.inline_asm
  gpu.func @dynamic(%x: memref<67108864xf32> {llvm.noalias, llvm.readonly}, %y: memref<?xf32>, %i: index) kernel {
    %0 = vector.load %x[%i] {alignment = 16 : i64} : memref<67108864xf32>, vector<4xf32>
    vector.store %0, %y[%i] : memref<?xf32>, vector<4xf32>
    gpu.return
  }

  // The second pass is to find what the first one read.
  // CHECK-LABEL: gpu.func @twice
  // CHECK-NOT: llvm.inline_asm
  gpu.func @twice(%x: memref<67108864xf32> {llvm.noalias, llvm.readonly}, %y: memref<4xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %n step %c4 {
      %0 = vector.load %x[%i] {alignment = 16 : i64} : memref<67108864xf32>, vector<4xf32>
      vector.store %0, %y[%c0] : memref<4xf32>, vector<4xf32>
    }
    scf.for %i = %c0 to %n step %c4 {
      %0 = vector.load %x[%i] {alignment = 16 : i64} : memref<67108864xf32>, vector<4xf32>
      vector.store %0, %y[%c0] : memref<4xf32>, vector<4xf32>
    }
    gpu.return
  }

  // Something else may write it, its rows are not contiguous.
  // CHECK-LABEL: gpu.func @aliased
  // CHECK-NOT: llvm.inline_asm
  gpu.func @aliased(%x: memref<67108864xf32> {llvm.readonly}, %y: memref<4xf32>, %i: index) kernel {
    %0 = vector.load %x[%i] {alignment = 16 : i64} : memref<67108864xf32>, vector<4xf32>
    vector.store %0, %y[%i] : memref<4xf32>, vector<4xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @strided
  // CHECK-NOT: llvm.inline_asm
  gpu.func @strided(%x: memref<16384x4096xf32, strided<[8192, 1]>> {llvm.noalias, llvm.readonly}, %y: memref<4xf32>, %i: index) kernel {
    %0 = vector.load %x[%i, %i] {alignment = 16 : i64} : memref<16384x4096xf32, strided<[8192, 1]>>, vector<4xf32>
    vector.store %0, %y[%i] : memref<4xf32>, vector<4xf32>
    gpu.return
  }
}

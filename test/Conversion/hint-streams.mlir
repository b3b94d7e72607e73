// Loads of 16 bytes get a policy: in a kernel that writes little, those from an input
// of more than half of L2 leave it first; in another one that moves more than L2
// holds, those from an input of more than an eighth of it leave it last. On an h200
// L2 has 60 MiB.
// RUN: fusion-opt %s --pass-pipeline='builtin.module(gpu.module(fusion-hint-streams{chip=sm_90}))' | FileCheck %s
// RUN: fusion-opt %s --pass-pipeline='builtin.module(gpu.module(fusion-hint-streams{chip=sm_80}),fusion-attach-target{chip=sm_80})' | FileCheck %s --check-prefix=A100
// RUN: not fusion-opt %s --pass-pipeline='builtin.module(gpu.module(fusion-hint-streams{chip=sm_1}))' 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: error: expected a chip among {{.*}}, but got 'sm_1'

// The oldest chip has policies as well, from PTX 7.4 on.
// A100: gpu.module @m [#nvvm.target<{{.*}}chip = "sm_80", features = "+ptx74">]
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

  // As much is written as read.
  // CHECK-LABEL: gpu.func @copies
  // CHECK: %[[POLICY:.*]] = llvm.inline_asm {{.*}}"createpolicy.fractional.L2::evict_last.b64 $0, 1.0;", "=l" : () -> i64
  // CHECK: llvm.inline_asm {{.*}}"ld.global.nc.L2::cache_hint.v4.b32 {{.*}} %[[POLICY]]
  // CHECK-NOT: llvm.inline_asm
  gpu.func @copies(%x: memref<67108864xf32> {llvm.noalias, llvm.readonly}, %y: memref<67108864xf32>, %i: index) kernel {
    %0 = vector.load %x[%i] {alignment = 16 : i64} : memref<67108864xf32>, vector<4xf32>
    vector.store %0, %y[%i] : memref<67108864xf32>, vector<4xf32>
    gpu.return
  }

  // An eighth as much is written, and 16 bytes more than that.
  // CHECK-LABEL: gpu.func @writes_an_eighth
  // CHECK: evict_first
  // CHECK: cache_hint
  gpu.func @writes_an_eighth(%x: memref<67108864xf32> {llvm.noalias, llvm.readonly}, %y: memref<8388608xf32>, %i: index) kernel {
    %0 = vector.load %x[%i] {alignment = 16 : i64} : memref<67108864xf32>, vector<4xf32>
    vector.store %0, %y[%i] : memref<8388608xf32>, vector<4xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @writes_more
  // CHECK: evict_last
  // CHECK: cache_hint
  gpu.func @writes_more(%x: memref<67108864xf32> {llvm.noalias, llvm.readonly}, %y: memref<8388612xf32>, %i: index) kernel {
    %0 = vector.load %x[%i] {alignment = 16 : i64} : memref<67108864xf32>, vector<4xf32>
    vector.store %0, %y[%i] : memref<8388612xf32>, vector<4xf32>
    gpu.return
  }

  // Half of L2, and 16 bytes more than that.
  // CHECK-LABEL: gpu.func @reads_half
  // CHECK-NOT: llvm.inline_asm
  gpu.func @reads_half(%x: memref<7864320xf32> {llvm.noalias, llvm.readonly}, %y: memref<4xf32>, %i: index) kernel {
    %0 = vector.load %x[%i] {alignment = 16 : i64} : memref<7864320xf32>, vector<4xf32>
    vector.store %0, %y[%i] : memref<4xf32>, vector<4xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @reads_more
  // CHECK: evict_first
  // CHECK: cache_hint
  gpu.func @reads_more(%x: memref<7864324xf32> {llvm.noalias, llvm.readonly}, %y: memref<4xf32>, %i: index) kernel {
    %0 = vector.load %x[%i] {alignment = 16 : i64} : memref<7864324xf32>, vector<4xf32>
    vector.store %0, %y[%i] : memref<4xf32>, vector<4xf32>
    gpu.return
  }

  // What is read and written fits in L2: in the 60 MiB of an h200, not in the 40 of
  // an a100. With 16 bytes more it does not fit.
  // CHECK-LABEL: gpu.func @fits
  // CHECK-NOT: llvm.inline_asm
  // A100-LABEL: gpu.func @fits
  // A100: evict_last
  // A100: cache_hint
  gpu.func @fits(%x: memref<7864320xf32> {llvm.noalias, llvm.readonly}, %y: memref<7864320xf32>, %i: index) kernel {
    %0 = vector.load %x[%i] {alignment = 16 : i64} : memref<7864320xf32>, vector<4xf32>
    vector.store %0, %y[%i] : memref<7864320xf32>, vector<4xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @does_not_fit
  // CHECK: evict_last
  // CHECK: cache_hint
  gpu.func @does_not_fit(%x: memref<7864320xf32> {llvm.noalias, llvm.readonly}, %y: memref<7864324xf32>, %i: index) kernel {
    %0 = vector.load %x[%i] {alignment = 16 : i64} : memref<7864320xf32>, vector<4xf32>
    vector.store %0, %y[%i] : memref<7864324xf32>, vector<4xf32>
    gpu.return
  }

  // An eighth of L2, and 16 bytes more than that.
  // CHECK-LABEL: gpu.func @shares
  // CHECK-SAME: (%[[EIGHTH:.*]]: memref<1966080xf32> {{{.*}}}, %{{.*}}: memref<1966084xf32> {{{.*}}}
  // CHECK: evict_last
  // CHECK: vector.load %[[EIGHTH]]
  // CHECK-NOT: vector.load
  // CHECK: cache_hint
  gpu.func @shares(%a: memref<1966080xf32> {llvm.noalias, llvm.readonly}, %b: memref<1966084xf32> {llvm.noalias, llvm.readonly}, %y: memref<67108864xf32>, %i: index) kernel {
    %0 = vector.load %a[%i] {alignment = 16 : i64} : memref<1966080xf32>, vector<4xf32>
    %1 = vector.load %b[%i] {alignment = 16 : i64} : memref<1966084xf32>, vector<4xf32>
    %2 = arith.addf %0, %1 : vector<4xf32>
    vector.store %2, %y[%i] : memref<67108864xf32>, vector<4xf32>
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

  // CHECK-LABEL: gpu.func @dynamic_input
  // CHECK-NOT: llvm.inline_asm
  gpu.func @dynamic_input(%x: memref<67108864xf32> {llvm.noalias, llvm.readonly}, %z: memref<?xf32> {llvm.noalias, llvm.readonly}, %y: memref<67108864xf32>, %i: index) kernel {
    %0 = vector.load %x[%i] {alignment = 16 : i64} : memref<67108864xf32>, vector<4xf32>
    vector.store %0, %y[%i] : memref<67108864xf32>, vector<4xf32>
    gpu.return
  }

  // No kernel: nobody knows what its callers do besides.
  // CHECK-LABEL: gpu.func @called
  // CHECK-NOT: llvm.inline_asm
  gpu.func @called(%x: memref<67108864xf32> {llvm.noalias, llvm.readonly}, %y: memref<67108864xf32>, %i: index) {
    %0 = vector.load %x[%i] {alignment = 16 : i64} : memref<67108864xf32>, vector<4xf32>
    vector.store %0, %y[%i] : memref<67108864xf32>, vector<4xf32>
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

  // CHECK-LABEL: gpu.func @twice_written
  // CHECK-NOT: llvm.inline_asm
  gpu.func @twice_written(%x: memref<67108864xf32> {llvm.noalias, llvm.readonly}, %y: memref<67108864xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %sum = scf.for %i = %c0 to %n step %c4 iter_args(%s = %zero) -> vector<4xf32> {
      %0 = vector.load %x[%i] {alignment = 16 : i64} : memref<67108864xf32>, vector<4xf32>
      %1 = arith.addf %s, %0 : vector<4xf32>
      scf.yield %1 : vector<4xf32>
    }
    scf.for %i = %c0 to %n step %c4 {
      %0 = vector.load %x[%i] {alignment = 16 : i64} : memref<67108864xf32>, vector<4xf32>
      %1 = arith.divf %0, %sum : vector<4xf32>
      vector.store %1, %y[%i] : memref<67108864xf32>, vector<4xf32>
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @viewed
  // CHECK-NOT: llvm.inline_asm
  gpu.func @viewed(%x: memref<67108864xf32> {llvm.noalias, llvm.readonly}, %y: memref<67108864xf32>, %i: index, %again: i1) kernel {
    %0 = vector.load %x[%i] {alignment = 16 : i64} : memref<67108864xf32>, vector<4xf32>
    vector.store %0, %y[%i] : memref<67108864xf32>, vector<4xf32>
    %view = memref.cast %x : memref<67108864xf32> to memref<?xf32>
    scf.if %again {
      %1 = vector.load %view[%i] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
      vector.store %1, %y[%i] : memref<67108864xf32>, vector<4xf32>
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

// Sums of rows of 64 elements by clusters of 2 blocks, which copy 32 each and
// exchange their sums; then, in a launch that may overlap this one, the sum of
// all.
!ring = memref<32xf32, #gpu.address_space<workgroup>>
!bars = memref<2xi64, #gpu.address_space<workgroup>>
!slots = memref<2xf32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @rows(%x: memref<4x64xf32> {llvm.align = 16 : i64}, %r: memref<4xf32>)
        workgroup(%ring: !ring {llvm.align = 16 : i64}, %bars: !bars, %slots: !slots) kernel
        attributes {nvvm.maxntid = array<i32: 32>} {
      %t = gpu.thread_id x
      %row = gpu.cluster_id x
      %rank = gpu.cluster_block_id x
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c128 = arith.constant 128 : index
      %c256 = arith.constant 256 : index
      %n8 = arith.constant 8 : i64
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %bytes = arith.constant 128 : i32
      %exchanged = arith.constant 8 : i32
      %ticks = arith.constant 10000000 : i32
      // The mbarriers: one for the copy, one for the exchange.
      %bi = memref.extract_aligned_pointer_as_index %bars : !bars -> index
      %b64 = arith.index_cast %bi : index to i64
      %full = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
      %e64 = arith.addi %b64, %n8 : i64
      %exchange = llvm.inttoptr %e64 : i64 to !llvm.ptr<3>
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %exchange, %one : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
      nvvm.cluster.arrive {aligned}
      nvvm.cluster.wait {aligned}
      // The copy.
      %si = memref.extract_aligned_pointer_as_index %ring : !ring -> index
      %s64 = arith.index_cast %si : index to i64
      %s = llvm.inttoptr %s64 : i64 to !llvm.ptr<3>
      %stage = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr<7>
      %gi = memref.extract_aligned_pointer_as_index %x : memref<4x64xf32> -> index
      %rowBytes = arith.muli %row, %c256 : index
      %partBytes = arith.muli %rank, %c128 : index
      %g0 = arith.addi %gi, %rowBytes : index
      %g1 = arith.addi %g0, %partBytes : index
      %g64 = arith.index_cast %g1 : index to i64
      %gp = llvm.inttoptr %g64 : i64 to !llvm.ptr
      %source = llvm.addrspacecast %gp : !llvm.ptr to !llvm.ptr<1>
      scf.if %first {
        nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
        nvvm.mbarrier.arrive.expect_tx %exchange, %exchanged : !llvm.ptr<3>, i32
        nvvm.cp.async.bulk.shared.cluster.global %stage, %source, %full, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
      }
      nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32
      %v = memref.load %ring[%t] : !ring
      %width = arith.constant 32 : i32
      %o16 = arith.constant 16 : i32
      %from16, %valid16 = gpu.shuffle xor %v, %o16, %width : f32
      %sum16 = arith.addf %v, %from16 : f32
      %o8 = arith.constant 8 : i32
      %from8, %valid8 = gpu.shuffle xor %sum16, %o8, %width : f32
      %sum8 = arith.addf %sum16, %from8 : f32
      %o4 = arith.constant 4 : i32
      %from4, %valid4 = gpu.shuffle xor %sum8, %o4, %width : f32
      %sum4 = arith.addf %sum8, %from4 : f32
      %o2 = arith.constant 2 : i32
      %from2, %valid2 = gpu.shuffle xor %sum4, %o2, %width : f32
      %sum2 = arith.addf %sum4, %from2 : f32
      %o1 = arith.constant 1 : i32
      %from1, %valid1 = gpu.shuffle xor %sum2, %o1, %width : f32
      %mine = arith.addf %sum2, %from1 : f32
      // Lane r sends the sum to the block with rank r.
      %li = memref.extract_aligned_pointer_as_index %slots : !slots -> index
      %slotBytes = arith.muli %rank, %c4 : index
      %l1 = arith.addi %li, %slotBytes : index
      %l64 = arith.index_cast %l1 : index to i64
      %lp = llvm.inttoptr %l64 : i64 to !llvm.ptr<3>
      %sends = arith.cmpi ult, %t, %c2 : index
      scf.if %sends {
        %to = arith.index_cast %t : index to i32
        %slot = nvvm.mapa %lp, %to : !llvm.ptr<3> -> !llvm.ptr<7>
        %there = nvvm.mapa %exchange, %to : !llvm.ptr<3> -> !llvm.ptr<7>
        nvvm.inline_ptx "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [$0], $1, [$2];" ro(%slot, %mine, %there : !llvm.ptr<7>, f32, !llvm.ptr<7>)
      }
      nvvm.mbarrier.try_wait.parity %exchange, %zero, %ticks : !llvm.ptr<3>, i32, i32
      %c1 = arith.constant 1 : index
      %a = memref.load %slots[%c0] : !slots
      %b = memref.load %slots[%c1] : !slots
      %sum = arith.addf %a, %b : f32
      %isLeader = arith.cmpi eq, %rank, %c0 : index
      %stores = arith.andi %first, %isLeader : i1
      scf.if %stores {
        memref.store %sum, %r[%row] : memref<4xf32>
      }
      nvvm.griddepcontrol launch_dependents
      gpu.return
    }
    gpu.func @finish(%r: memref<4xf32>, %out: memref<1xf32>) kernel
        attributes {nvvm.maxntid = array<i32: 32>} {
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %f0 = arith.constant 0.0 : f32
      nvvm.griddepcontrol wait
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %f0) -> f32 {
          %v = memref.load %r[%i] : memref<4xf32>
          %s = arith.addf %acc, %v : f32
          scf.yield %s : f32
        }
        memref.store %sum, %out[%c0] : memref<1xf32>
      }
      gpu.return
    }
  }
  func.func @sums(%x: memref<4x64xf32>) -> (memref<4xf32>, memref<1xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %r = memref.alloc() : memref<4xf32>
    %out = memref.alloc() : memref<1xf32>
    fusion.launch_func cooperative @kernels::@rows clusters in (%c2, %c1, %c1) blocks in (%c8, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<4x64xf32>, %r : memref<4xf32>)
    fusion.launch_func dependent @kernels::@finish blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%r : memref<4xf32>, %out : memref<1xf32>)
    return %r, %out : memref<4xf32>, memref<1xf32>
  }
}

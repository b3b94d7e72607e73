// A lowered program: y = s * x on a GPU, with the kernel as PTX.
module attributes {gpu.container_module} {
  func.func @scale(%x: memref<?xf32>, %s: f32) -> memref<?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    %n64 = arith.index_cast %n : index to i64
    %blocks = arith.ceildivui %n, %c128 : index
    %y = memref.alloc(%n) : memref<?xf32>
    gpu.launch_func @kernels::@scale blocks in (%blocks, %c1, %c1)
      threads in (%c128, %c1, %c1)
      args(%x : memref<?xf32>, %y : memref<?xf32>, %n64 : i64, %s : f32)
    return %y : memref<?xf32>
  }
  gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_80">,
    assembly = ".version 7.8\0A.target sm_80\0A.address_size 64\0A.visible .entry scale(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .f32 p3) {\0A  .reg .pred %p<2>; .reg .f32 %f<4>; .reg .b32 %r<4>; .reg .b64 %d<8>;\0A  ld.param.u64 %d1, [p0]; ld.param.u64 %d2, [p1]; ld.param.u64 %d3, [p2]; ld.param.f32 %f1, [p3];\0A  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\0A  mul.wide.u32 %d4, %r1, %r2; cvt.u64.u32 %d5, %r3; add.s64 %d4, %d4, %d5;\0A  setp.ge.s64 %p1, %d4, %d3; @%p1 bra end;\0A  shl.b64 %d4, %d4, 2; add.s64 %d1, %d1, %d4; add.s64 %d2, %d2, %d4;\0A  ld.global.f32 %f2, [%d1]; mul.f32 %f3, %f2, %f1; st.global.f32 [%d2], %f3;\0Aend: ret; }">]
}

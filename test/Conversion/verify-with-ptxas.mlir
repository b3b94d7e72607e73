// Values in local memory are an error, if asked for.
// REQUIRES: ptxas
// RUN: fusion-opt %s --fusion-verify-binaries=verify-with-ptxas -split-input-file -verify-diagnostics -o /dev/null

gpu.binary @fits [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = ".version 8.0\0A.target sm_90\0A.address_size 64\0A.visible .entry k() { ret; }\0A">]

// -----

// expected-error-re@+1 {{'gpu.binary' op expected kernels without spilled registers, but 'k' has 64 bytes of local memory a thread beside its {{[0-9]+}} registers}}
gpu.binary @spills [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = ".version 8.0\0A.target sm_90\0A.address_size 64\0A.visible .entry k(.param .u64 p) {\0A.local .align 16 .b8 a[64];\0A.reg .b32 %r<4>;\0A.reg .b64 %d<8>;\0Amov.u32 %r0, %tid.x;\0Amul.wide.u32 %d0, %r0, 4;\0Amov.u64 %d1, a;\0Aadd.u64 %d2, %d1, %d0;\0Ast.local.u32 [%d2], %r0;\0Ald.local.u32 %r1, [a+4];\0Ald.param.u64 %d3, [p];\0Acvta.to.global.u64 %d4, %d3;\0Ast.global.u32 [%d4], %r1;\0Aret;\0A}\0A">]

// -----

// expected-error@+1 {{'gpu.binary' op ptxas failed: }}
gpu.binary @wrong [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = "no PTX">]

// -----

// There is no text to assemble.
// expected-error@+1 {{'gpu.binary' op expected PTX with a kernel for ptxas, but found none}}
gpu.binary @cubin [#gpu.object<#nvvm.target<chip = "sm_90">, bin = "cubin">]

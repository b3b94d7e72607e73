// PTX that declares a function it does not hold cannot be loaded.
// RUN: fusion-opt %s --fusion-verify-binaries -split-input-file -verify-diagnostics -o /dev/null

gpu.binary @holds [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = ".visible .entry k() { ret; }">]
// Data may be external: dynamic shared memory is.
gpu.binary @shared [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = ".extern .shared .align 16 .b8 s[];">]
// Only text can be read.
gpu.binary @cubin [#gpu.object<#nvvm.target<chip = "sm_90">, bin = ".extern .func f()">]

// -----

// expected-error@+1 {{'gpu.binary' op expected PTX without external functions, but '__nv_expf' is unresolved: a math function needs libdevice, which a CUDA Toolkit holds in nvvm/libdevice (set CUDA_HOME to it)}}
gpu.binary @with_result [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = ".extern .func  (.param .b32 func_retval0) __nv_expf\0A(\0A.param .b32 p\0A);">]

// -----

// expected-error@+1 {{but 'report' is unresolved}}
gpu.binary @without_result [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = ".extern .func report();">]

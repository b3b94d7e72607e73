//===- Passes.td - From segments to kernels to PTX ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order of the phases: import, lower, emit.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_CONVERSION_PASSES_TD
#define FUSION_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertLinalgToFusionPass : Pass<"convert-linalg-to-fusion", "ModuleOp"> {
  let summary = "Import linalg on tensors";
  let description = [{
    Structured operations become `fusion`, `arith` and `math` on tensors:
    `linalg.generic`, every named operation (through its body), and
    `linalg.softmax` (through its decomposition).

    **Preconditions**: none. An operation is imported if

    - its indexing maps are projected permutations, with zeros for static unit
      dimensions (`(d0, d1) -> (d0, 0)`);
    - its body is element-wise `arith` and `math`, and `linalg.index`;
    - each result that is used either has every loop in its map, or is
      `combine(init, elements)` by one of the kinds of `fusion.reduce`, where
      the elements do not depend on the result so far;
    - its element types are those of the dialect.

    Everything else stays as it is, with a missed remark in the category
    `fusion-import` that gives the obstacle (docs/Import.md lists them) and the
    operation that caused it; with `refuse-unimported` it is an error.

    **Before**

    ```mlir
    #full = affine_map<(d0, d1) -> (d0, d1)>
    #rows = affine_map<(d0, d1) -> (d0)>
    func.func @f(%x: tensor<4x8xf32>) -> tensor<4xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<4xf32>
      %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      %r = linalg.generic {indexing_maps = [#full, #rows], iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %sq = arith.mulf %in, %in : f32
        %sum = arith.addf %sq, %out : f32
        linalg.yield %sum : f32
      } -> tensor<4xf32>
      return %r : tensor<4xf32>
    }
    ```

    **After**

    ```mlir
    func.func @f(%x: tensor<4x8xf32>) -> tensor<4xf32> {
      %sq = arith.mulf %x, %x : tensor<4x8xf32>
      %r = fusion.reduce add %sq dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
      return %r : tensor<4xf32>
    }
    ```

    The init is combined once, and not at all where that changes nothing: +0.0
    is neutral for a sum whose elements are never -0.0, as squares are.

    Loads of an `ml_program.global` that nothing stores to, and resources,
    become constants. Dead inits are removed. Reshapes are left to
    `fusion-simplify`.

    **Numerics**: bit-exact up to the order inside each reduction. Where a body
    accumulates in 16 or 8 bits, the reduction accumulates in f32 and rounds
    once.
  }];
  let options = [
    Option<"refuseUnimported", "refuse-unimported", "bool", /*default=*/"false",
           "Fail if an operation of linalg stays">
  ];
  let statistics = [
    Statistic<"numImported", "imported", "Structured operations imported">,
    Statistic<"numLeft", "left", "Operations of linalg that stay">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::fusion::FusionDialect",
                           "::mlir::tensor::TensorDialect"];
}

def LowerSegmentsPass : Pass<"fusion-lower-segments", "ModuleOp"> {
  let summary = "Turn scheduled segments into kernels and launches";
  let description = [{
    Each `fusion.segment` becomes a `gpu.module` that its scheduler fills, and
    host operations in its place: `bufferization.to_buffer` for the inputs,
    `memref.alloc` for results and workspace, `gpu.launch_func` for each kernel
    (`fusion.launch_func` where the schedule needs a cooperative or dependent
    launch; `plain-launches` refuses those, for hosts that lower
    `gpu.launch_func` only),
    `bufferization.to_tensor` for the results. One-shot bufferization with
    identity layouts then takes care of the rest of the function.

    **Preconditions**: every segment carries a schedule
    (`fusion-verify-scheduled`); all other fusion operations are in segments.

    **Before**: `%0 = fusion.segment "s" schedule = #... (%x = %arg0 : tensor<4x8xf32>) -> (...)`

    **After**

    ```mlir
    %x = bufferization.to_buffer %arg0 read_only : tensor<4x8xf32> to memref<4x8xf32>
    %r = memref.alloc() : memref<4xf32>
    gpu.launch_func @f_0::@f_0_main blocks in (...) threads in (...) args(%x : memref<4x8xf32>, %r : memref<4xf32>)
    %0 = bufferization.to_tensor %r restrict writable : memref<4xf32> to tensor<4xf32>
    ```

    A returned value that is an argument, or is returned twice, is copied: the
    results of a function are the caller's own.

    The host function checks what kernels assume of their arguments: data that
    starts at a multiple of 16 bytes (`cf.assert`).

    **Numerics**: bit-exact up to the order inside each reduction, which the
    schedule fixes.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90\"",
           "The instruction set, e.g. sm_90">,
    Option<"device", "device", "std::string", /*default=*/"",
           "The device model, e.g. h200; empty: the default of the chip">,
    Option<"plainLaunches", "plain-launches", "bool", /*default=*/"false",
           "Refuse schedules that need cooperative or dependent launches">
  ];
  let statistics = [
    Statistic<"numLowered", "lowered", "Segments that became kernels">,
    Statistic<"numRejected", "rejected", "Segments whose schedule did not fit">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::nvgpu::NVGPUDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def LowerFloat8Pass : Pass<"fusion-lower-float8", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower 8-bit floats to integers and f32";
  let description = [{
    In LLVM an 8-bit float is a byte that nothing computes with. Operations of
    `arith` and `math` on f8E4M3FN and f8E5M2 get f32 operands, and their results
    are rounded; casts become integer arithmetic: to nearest even, overflow as
    docs/Numerics.md says. Loads, stores, selections and constants stay.

    **Before**: `%y = arith.truncf %x : f32 to f8E5M2`

    **After**: about 20 operations on i32, and
    `%y = arith.bitcast %byte : i8 to f8E5M2`

    **Preconditions**: scalars or vectors in kernels. Casts with a rounding mode
    other than to nearest even are left, and have no lowering.

    **Numerics**: exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerMathPass : Pass<"fusion-lower-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower math operations whose accuracy a direct lowering would miss";
  let description = [{
    Upstream's lowering through libdevice gives `math.sqrt` and `math.rsqrt`
    their approximate instructions. The numerics contract asks for correct
    rounding unless `afn` allows more:

    | operation | without `afn` | with `afn` |
    |---|---|---|
    | `math.sqrt` f32, f64 | `llvm.sqrt`: sqrt.rn | left to libdevice |
    | `math.rsqrt` f32, f64 | 1 / sqrt, both rounded to nearest | left to libdevice |
    | both, f16 and bf16 | computed in f32 and rounded once | left to libdevice |
    | `math.exp` f32 | left to libdevice | ex2.approx.ftz of the product with log2(e) |
    | `math.exp` f16 and bf16 | left to libdevice | computed in f32 and rounded once |

    `math.absf`, `floor`, `ceil`, `trunc` and `roundeven` become calls of the
    intrinsics that have an instruction, so that they need no libdevice. `absi`,
    `ctlz`, `cttz`, `ctpop`, `isnormal` and `clampf`, which upstream does not
    lower for all types or at all, become intrinsics or are expanded.

    `arith.maximumf` and `arith.minimumf` of f64, for which there is no one
    instruction, become max.f64 and min.f64, and NaN where an operand is. They order
    zeros; LLVM, which does not rely on that, takes ten instructions.

    **Preconditions**: scalars or 1-D vectors in kernels.

    **Numerics**: as in the table.
  }];
  let statistics = [
    Statistic<"numLowered", "lowered", "Operations lowered here">,
    Statistic<"numLeft", "left", "math operations left for libdevice">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExternalizeSharedPass
    : Pass<"fusion-externalize-shared", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Declare dynamic shared memory as external";
  let description = [{
    Upstream lowers `gpu.dynamic_shared_memory` to an internal global of no
    elements, which PTX would hold as one byte of static shared memory. CUDA's
    dynamic shared memory is an external array without a size.

    **Before**: `llvm.mlir.global internal @__dynamic_shmem__0() {addr_space = 3} : !llvm.array<0 x i8>`

    **After**: `llvm.mlir.global external @__dynamic_shmem__0() {addr_space = 3} : !llvm.array<0 x i8>`
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def AnnotateLoopsPass
    : Pass<"fusion-annotate-loops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Put loop annotations where the translation to LLVM IR reads them";
  let description = [{
    A scheduler writes `llvm.loop_annotation` on an `scf.for` whose body LLVM and
    ptxas must not repeat: its registers are planned for one step. Upstream's
    lowering of loops hands the attribute on to the branch back as a discardable
    one, but only `loop_annotation` of the branch itself becomes metadata.

    **Before**: `llvm.br ^loop(%i : i64) {llvm.loop_annotation = #llvm.loop_annotation<...>}`

    **After**: `llvm.br ^loop(%i : i64) {loop_annotation = #llvm.loop_annotation<...>}`
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def FreeInLoopsPass : Pass<"fusion-free-in-loops", "::mlir::ModuleOp"> {
  let summary = "Free the buffers that iterations leave behind";
  let description = [{
    In a host function, a buffer that an iteration of `scf.for` makes and does
    not give to the next one is freed behind its last use. What it gets from the
    iteration before is freed, too, if that made it: all iterations but the first
    own it, and the first does if nothing else has what the loop starts with. So
    the memory that a loop needs does not grow with its iterations.

    **Preconditions**: memrefs. What an operation that is not known here may keep
    is left alone, and so is what is made outside of loops.

    **Before**

    ```mlir
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<8xf32>) {
      %b = memref.alloc() : memref<8xf32>
      gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8xf32>, %b : memref<8xf32>)
      scf.yield %b : memref<8xf32>
    }
    ```

    **After**: behind the launch

    ```mlir
    %owned = arith.cmpi ne, %i, %c0 : index
    scf.if %owned {
      memref.dealloc %a : memref<8xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numFreed", "freed", "Buffers that each iteration frees">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def HintStreamsPass
    : Pass<"fusion-hint-streams", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Tell L2 when to drop what a kernel reads once";
  let description = [{
    Gives reads of large inputs a policy that says when L2 is to drop them:

    | kernel | policy | of inputs larger than |
    |---|---|---|
    | reads at least eight times the bytes that it writes, as reductions do | `evict_first` | half of L2 |
    | another one whose reads and writes together exceed L2 | `evict_last` | an eighth of L2 |
    | any other | none | |

    The reads of the first kind then push out one another rather than what others
    left in L2, which would have to be written to memory first. The results of
    the second kind push that out in any case: there `evict_first` makes a kernel
    slower, `evict_last` faster (docs/Rationale.md has the measurements). What
    all blocks share, such as params, is small and stays in L2 by being used
    again. What fits in L2 is found there by the next kernel.

    Reads are loads of 16 bytes, which become PTX text, since LLVM has no
    operation for them, and bulk copies, whose address is followed to the input.
    Inputs are the arguments of a kernel with `llvm.readonly` and `llvm.noalias`,
    contiguous and in the default memory space. An input keeps its reads if it is
    read in several places, as by several passes over a row, since the later ones
    are to find it in L2 (copies outside of the one loop with copies count as
    part of it: they fill its ring); if it is read by loads and by copies; if
    anything else uses its address, or a view of it; and if a copy has a policy.
    So does a kernel with a buffer of dynamic shape: how much it moves is not
    known.

    **Preconditions**: kernels before their conversion to NVVM, and before
    fusion-attach-target, which chooses the PTX version.

    **Before**

    ```mlir
    %v = vector.load %x[%i] {alignment = 16 : i64} : memref<67108864xbf16>, vector<8xbf16>
    nvvm.cp.async.bulk.shared.cluster.global %to, %from, %barrier, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    ```

    **After**

    ```mlir
    %policy = llvm.inline_asm "createpolicy.fractional.L2::evict_first.b64 $0, 1.0;", "=l" : () -> i64
    %r = llvm.inline_asm "ld.global.nc.L2::cache_hint.v4.b32 ..." %address, %policy
    nvvm.cp.async.bulk.shared.cluster.global %to, %from, %barrier, %bytes l2_cache_hint = %policy : !llvm.ptr<7>, !llvm.ptr<1>
    ```

    **Numerics**: exact.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90\"",
           "The instruction set, e.g. sm_90">,
    Option<"device", "device", "std::string", /*default=*/"",
           "The device model, e.g. h200; empty: the default of the chip">
  ];
  let statistics = [
    Statistic<"numHinted", "hinted", "Loads and bulk copies that got a policy">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
}

def AttachTargetPass : Pass<"fusion-attach-target", "ModuleOp"> {
  let summary = "Attach the NVVM target of a chip to each gpu.module";
  let description = [{
    Adds `#nvvm.target` with the chip, the lowest PTX version that knows it and
    the operations of the module, and optimisation level 3, without any fast-math
    flag. An unknown chip is an
    error that lists the known ones.

    **Before**: `gpu.module @k { ... }`

    **After**: `gpu.module @k [#nvvm.target<O = 3, chip = "sm_90", features = "+ptx78">] { ... }`
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90\"",
           "The instruction set, e.g. sm_90">
  ];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

def SerializeKernelsPass : Pass<"fusion-serialize-kernels", "ModuleOp"> {
  let summary = "Translate each gpu.module to a gpu.binary";
  let description = [{
    What upstream's gpu-module-to-binary does with the targets of each module,
    but for the CUDA Toolkit, whose libdevice is linked for math functions: it is
    found in /usr/local/cuda too, and none is needed. Without one, functions of
    libdevice stay external, which fusion-verify-binaries reports.

    **Before**: `gpu.module @k [#nvvm.target<...>] { ... }`

    **After**: `gpu.binary @k [#gpu.object<#nvvm.target<...>, assembly = "...">]`
  }];
  let options = [
    Option<"format", "format", "std::string", /*default=*/"\"isa\"",
           "isa for PTX, or bin for a cubin, which needs ptxas">,
    Option<"toolkit", "toolkit", "std::string", /*default=*/"\"\"",
           "The folder of the CUDA Toolkit; by default the first of CUDA_HOME, "
           "CUDA_PATH, CUDA_ROOT and /usr/local/cuda that has libdevice">,
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

def VerifyBinariesPass : Pass<"fusion-verify-binaries", "ModuleOp"> {
  let summary = "Check that the PTX of each gpu.binary stands alone";
  let description = [{
    PTX that declares an external function (libdevice was not found when it was
    made, so `__nv_...` stayed unresolved) cannot be loaded. Fails at the
    gpu.binary with the name of the function.

    With `verify-with-ptxas` NVIDIA's assembler runs on the PTX as well, for the
    chip of each object; a kernel that keeps values in local memory, which
    registers should hold, is an error with its name, registers and bytes. Needs
    a CUDA Toolkit.
  }];
  let options = [
    Option<"withPtxas", "verify-with-ptxas", "bool", /*default=*/"false",
           "Assemble the PTX and fail if a kernel spills registers">,
  ];
}

#endif // FUSION_CONVERSION_PASSES_TD

//===- FusionOps.td - Operations of the fusion dialect -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_OPS_TD
#define FUSION_OPS_TD

include "FusionDialect/IR/FusionDialect.td"
include "FusionDialect/IR/FusionEnums.td"
include "FusionDialect/IR/FusionAttrs.td"
include "FusionDialect/IR/FusionInterfaces.td"
include "mlir/Dialect/Arith/IR/ArithBase.td"
include "mlir/Dialect/Arith/IR/ArithOpsInterfaces.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def Fusion_Element : AnyTypeOf<
    [F16, BF16, F32, F64, F8E4M3FN, F8E5M2, I1, I8, I16, I32, I64],
    "element type f16, bf16, f32, f64, f8E4M3FN, f8E5M2, i1, i8, i16, i32 or "
    "i64">;

def Fusion_Tensor : RankedTensorOf<[Fusion_Element]>;

// What a segment takes: tensors, and scalars that enter through tensor.splat.
def Fusion_SegmentValue : AnyTypeOf<[Fusion_Tensor, Fusion_Element, Index]>;

//===----------------------------------------------------------------------===//
// Base classes
//===----------------------------------------------------------------------===//

class Fusion_Op<string mnemonic, list<Trait> traits = []>
    : Op<Fusion_Dialect, mnemonic, traits>;

// Operations that move elements and compute nothing.
class Fusion_ShapeOp<string mnemonic, list<Trait> traits = []>
    : Fusion_Op<mnemonic, !listconcat([Pure], traits)>;

//===----------------------------------------------------------------------===//
// Shape operations
//===----------------------------------------------------------------------===//

def Fusion_BroadcastOp : Fusion_ShapeOp<"broadcast",
    [DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                               ["reifyResultShapes"]>]> {
  let summary = "repeat a tensor along new or unit dimensions";
  let description = [{
    Operand dimension i becomes result dimension `dims[i]`:

    ```
    result[j0, ..., jn] = input[k0, ..., km]
      where ki = 0 if extent i of the input is statically 1 and grows,
                 j(dims[i]) otherwise
    ```

    `dims` has one entry for each operand dimension, strictly increasing. A
    *static* extent 1 may grow to any extent; every other extent equals that of
    its result dimension, `?` with `?`. A dynamic extent that happens to be 1
    never grows. Result dimensions that `dims` does not name are new.

    Each dynamic result extent that is new or grown is given by one index
    operand in brackets, in the order of the result's dimensions.

    ```mlir
    %0 = fusion.broadcast %v dims = [1] : tensor<8192xf32> -> tensor<2048x8192xf32>
    %1 = fusion.broadcast %v [%m] dims = [1] : tensor<8192xf32> -> tensor<?x8192xf32>
    ```
  }];
  let arguments = (ins
    Arg<Fusion_Tensor, "the tensor to repeat">:$input,
    Arg<Variadic<Index>, "the new or grown dynamic extents">:$dynamic_sizes,
    Arg<DenseI64ArrayAttr,
        "the result dimension of each operand dimension">:$dims);
  let results = (outs Res<Fusion_Tensor, "the repeated tensor">:$result);
  let assemblyFormat = [{
    $input (`[` $dynamic_sizes^ `]`)? `dims` `=` $dims attr-dict `:`
    type($input) `->` type($result)
  }];
  let builders = [
    OpBuilder<(ins "RankedTensorType":$type, "Value":$input,
                   "ArrayRef<int64_t>":$dims), [{
      build($_builder, $_state, type, input, ValueRange(), dims);
    }]>
  ];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// True if operand dimension `dim` is a static 1 that grows in the result.
    bool growsDim(int64_t dim);
    /// The result dimensions that no operand dimension fills: new or grown.
    SmallVector<int64_t> getRepeatedDims();
  }];
}

def Fusion_SqueezeOp : Fusion_ShapeOp<"squeeze",
    [InferTypeOpAdaptor,
     DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                               ["reifyResultShapes"]>]> {
  let summary = "drop static unit dimensions";
  let description = [{
    Removes the dimensions `dims`, each of static extent 1, from the shape. The
    elements and their order stay. `dims` is unique, sorted and in range.

    ```mlir
    %0 = fusion.squeeze %v dims = [1] : tensor<2048x1xf32> -> tensor<2048xf32>
    ```
  }];
  let arguments = (ins
    Arg<Fusion_Tensor, "the tensor with unit dimensions">:$input,
    Arg<DenseI64ArrayAttr, "the dimensions to drop">:$dims);
  let results = (outs Res<Fusion_Tensor, "the same elements">:$result);
  let assemblyFormat = [{
    $input `dims` `=` $dims attr-dict `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Fusion_TransposeOp : Fusion_ShapeOp<"transpose",
    [InferTypeOpAdaptor,
     DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                               ["reifyResultShapes"]>]> {
  let summary = "reorder the dimensions of a tensor";
  let description = [{
    Result dimension i is operand dimension `permutation[i]`:

    ```
    result[j0, ..., jn] = input[k0, ..., kn]  where k(permutation[i]) = ji
    ```

    ```mlir
    %0 = fusion.transpose %v permutation = [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins
    Arg<Fusion_Tensor, "the tensor to reorder">:$input,
    Arg<DenseI64ArrayAttr,
        "the operand dimension of each result dimension">:$permutation);
  let results = (outs Res<Fusion_Tensor, "the reordered tensor">:$result);
  let assemblyFormat = [{
    $input `permutation` `=` $permutation attr-dict `:` type($input) `->`
    type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

def Fusion_IotaOp : Fusion_Op<"iota",
    [Pure, DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                                     ["reifyResultShapes"]>]> {
  let summary = "the positions along one dimension";
  let description = [{
    ```
    result[i] = i
    ```

    in the element type, an integer type of at least 8 bits; a position that
    does not fit wraps around. A dynamic extent is given by an index operand.
    Along a dimension of a larger space, positions are a `fusion.broadcast` of
    an iota.

    ```mlir
    %0 = fusion.iota : tensor<8192xi64>
    %1 = fusion.iota [%n] : tensor<?xi32>
    ```
  }];
  let arguments = (ins
    Arg<Variadic<Index>, "the extent, if it is dynamic">:$dynamic_sizes);
  let results = (outs
    Res<RankedTensorOf<[I8, I16, I32, I64]>, "the positions">:$result);
  let assemblyFormat = [{
    (`[` $dynamic_sizes^ `]`)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

def Fusion_ReduceOp : Fusion_Op<"reduce",
    [Pure, DeclareOpInterfaceMethods<ArithFastMathInterface>,
     DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                               ["reifyResultShapes"]>]> {
  let summary = "combine the elements along dimensions";
  let description = [{
    Removes the dimensions `dims` by combining the elements along them:

    ```
    result[kept] = combine over all reduced of input[kept, reduced]
    ```

    `dims` is unique, sorted and in range; it may be empty, and the operand may
    have rank 0. The element types of operand and result are equal, or the
    result is a wider float. The accumulator has the result's type, but at least
    f32 for 16- and 8-bit floats, and partial results keep the accumulator's
    type: each operand element is converted to it first, and the total is
    rounded to the result's type once.

    The value equals some order of combining the elements *alone*: no initial
    value takes part, so a sum of -0.0 gives -0.0 and dropping a unit dimension
    is exact. The order is the same from run to run. It may differ between
    devices and schedules: rewriting the order inside one reduction needs no
    flag; a rewrite that distributes over or moves across the reduction needs
    `reassoc` in `fastmath`.

    Without elements: add +0, mul 1, maximumf -inf, minimumf +inf, maxnumf and
    minnumf NaN, integers the identity of the kind. maxnumf and minnumf skip
    NaN; maximumf and minimumf propagate it. The f8E4M3FN type has no infinity:
    there NaN stands for it.

    | kinds | element types |
    |---|---|
    | add, mul | floats, integers |
    | minimumf, maximumf, minnumf, maxnumf | floats |
    | minsi, minui, maxsi, maxui, and, or, xor | integers |

    ```mlir
    %0 = fusion.reduce add %v dims = [1] : tensor<2048x8192xbf16> -> tensor<2048xf32>
    %1 = fusion.reduce add %v dims = [1] fastmath<reassoc> : tensor<4x8xf32> -> tensor<4xf32>
    ```
  }];
  let arguments = (ins
    Arg<Fusion_ReductionKind, "how two values combine">:$kind,
    Arg<Fusion_Tensor, "the elements to combine">:$input,
    Arg<DenseI64ArrayAttr, "the dimensions to remove">:$dims,
    DefaultValuedAttr<Arith_FastMathAttr,
                      "::mlir::arith::FastMathFlags::none">:$fastmath);
  let results = (outs Res<Fusion_Tensor, "one value for each kept index">:$result);
  let assemblyFormat = [{
    $kind $input `dims` `=` $dims (`fastmath` `` $fastmath^)? attr-dict `:`
    type($input) `->` type($result)
  }];
  let builders = [
    OpBuilder<(ins "RankedTensorType":$type, "ReductionKind":$kind,
                   "Value":$input, "ArrayRef<int64_t>":$dims), [{
      build($_builder, $_state, type, kind, input, dims,
            ::mlir::arith::FastMathFlags::none);
    }]>
  ];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// The type that partial results have: the result's, but at least f32 for
    /// floats of 16 and 8 bits.
    Type getAccumulatorType();
    /// The dimensions that stay, in order.
    SmallVector<int64_t> getKeptDims();
  }];
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

def Fusion_SegmentOp : Fusion_Op<"segment",
    [Pure, IsolatedFromAbove, SingleBlock,
     SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "a group of operations that becomes one kernel";
  let description = [{
    Holds the operations of one main kernel and at most one finish kernel over
    its workspace. It is isolated from above: operands are bound to the region's
    arguments, and `fusion.yield` gives the results. It names the scheduler that
    accepted it, and after scheduling it carries that scheduler's attribute,
    which decides everything about the kernel. Segments do not nest. They are
    pure, so unused and equal segments vanish.

    ```mlir
    %0:2 = fusion.segment "inner-outer-persistent"
        (%x = %arg0 : tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
      %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
      %c = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
      fusion.yield %r, %c : tensor<4xf32>, tensor<8xf32>
    }
    ```

    A schedule follows the scheduler's name: `schedule = #fusion.inner_outer<...>`.
  }];
  let arguments = (ins
    Arg<Variadic<Fusion_SegmentValue>, "what the kernel reads">:$inputs,
    Arg<StrAttr, "the registered name of the scheduler">:$scheduler,
    Arg<OptionalAttr<Fusion_ScheduleAttrInterface>,
        "the schedule; absent until fusion-schedule">:$schedule);
  let results = (outs
    Res<Variadic<Fusion_Tensor>, "what the kernel writes">:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1; // binds the region's arguments to operands
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "TypeRange":$results, "ValueRange":$inputs,
                   "StringRef":$scheduler)>
  ];
  let extraClassDeclaration = [{
    Block &getBodyBlock() { return getBody().front(); }
    /// The values that the region yields, one for each result.
    OperandRange getYielded();
  }];
}

def Fusion_YieldOp : Fusion_Op<"yield",
    [Pure, ReturnLike, Terminator, HasParent<"SegmentOp">]> {
  let summary = "give the results of a segment";
  let description = [{
    Ends the region of a `fusion.segment`; its operands are the segment's
    results, of the same types.

    ```mlir
    fusion.yield %r, %c : tensor<4xf32>, tensor<8xf32>
    ```
  }];
  let arguments = (ins
    Arg<Variadic<Fusion_Tensor>, "the results of the segment">:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ValueRange()); }]>];
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

def Fusion_LaunchFuncOp : Fusion_Op<"launch_func",
    [AttrSizedOperandSegments,
     DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "launch a kernel in a mode that gpu.launch_func cannot express";
  let description = [{
    Launches `kernel` on a grid of blocks, after everything before it in the
    function. Operands are those of `gpu.launch_func`: sizes in clusters (in
    blocks), blocks and threads, bytes of dynamic shared memory, and the
    kernel's arguments. `mode` says what the launch promises:

    | mode | meaning |
    |---|---|
    | `plain` | as `gpu.launch_func`: starts when all earlier work has ended |
    | `cooperative` | all blocks are resident at once, so that they may wait for one another; the launch fails if they do not fit |
    | `dependent` | may start before the launch before it has ended: what earlier work wrote may be read, and what it reads be written, only behind the kernel's `nvvm.griddepcontrol wait` |

    The kernel is a `gpu.func` of a `gpu.module`, or an entry of the
    `gpu.binary` that the module became. An empty grid launches nothing.

    ```mlir
    fusion.launch_func cooperative @f_0::@f_0_rows clusters in (%c8, %c1, %c1)
        blocks in (%c120, %c1, %c1) threads in (%c256, %c1, %c1)
        dynamic_shared_memory_size %bytes args(%x : memref<4x8xf32>)
    ```
  }];
  let arguments = (ins
    Arg<Fusion_LaunchMode, "what the launch promises">:$mode,
    Arg<SymbolRefAttr, "the kernel: @module::@function">:$kernel,
    Arg<Variadic<Index>, "blocks of a cluster; none: no clusters">:$cluster_size,
    Arg<Variadic<Index>, "blocks of the grid">:$grid_size,
    Arg<Variadic<Index>, "threads of a block">:$block_size,
    Arg<Optional<I32>, "bytes of dynamic shared memory of a block">
        :$dynamic_shared_memory_size,
    Arg<Variadic<AnyType>, "the kernel's arguments">:$kernel_operands);
  let assemblyFormat = [{
    $mode $kernel (`clusters` `in` ` ` `(` $cluster_size^ `)`)?
    `blocks` `in` ` ` `(` $grid_size `)` `threads` `in` ` ` `(` $block_size `)`
    (`dynamic_shared_memory_size` $dynamic_shared_memory_size^)?
    (`args` `` custom<LaunchArguments>($kernel_operands,
                                       type($kernel_operands))^)?
    attr-dict
  }];
  let hasVerifier = 1;
}

#endif // FUSION_OPS_TD

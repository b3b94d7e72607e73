//===- Traffic.h - What a candidate moves and computes ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes and counts that every scheduler needs, and the checks that the tensors
// of a candidate are of types, and as few, as kernels can take.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_TRAFFIC_H
#define LIB_SCHEDULERS_TRAFFIC_H

#include "FusionDialect/Analysis/IterationSpace.h"
#include "FusionDialect/Analysis/Traffic.h"

namespace mlir::fusion {

/// Operations that a kernel may repeat for the points of a thread. LLVM and
/// ptxas take minutes for more, and the instruction cache holds a fraction.
inline constexpr uint64_t maxUnrolledOperations = 1 << 13;

/// Bytes of all inputs and outputs of `candidate`, each once.
uint64_t getTrafficBytes(const Candidate &candidate);

/// Instructions that one element of the result of `op` costs, roughly: 1 for
/// what has an instruction of its own, more for divisions and for functions
/// that libdevice computes, 0 for what only moves elements.
unsigned countInstructions(Operation *op);

/// False for a reduction over extents of 1, which only converts its elements.
bool reducesElements(ReduceOp reduce);

/// Checks that all element types are among f8E4M3FN, f8E5M2, f16, bf16, f32,
/// f64, i1, i8, i16, i32 and i64, or index where it stays in registers.
std::optional<Rejection> checkElementTypes(const Candidate &candidate);

/// Checks that a kernel can take all inputs and outputs of `candidate` and
/// `workspaces` more buffers, a pointer or scalar each.
std::optional<Rejection> checkParameters(const Candidate &candidate,
                                         size_t workspaces,
                                         const DeviceModel &device);

/// Checks that no output of a candidate whose space is empty has an element.
std::optional<Rejection> checkNothingToWrite(const Candidate &candidate);

/// Checks a dynamic extent (see checkDynamicExtent, checkWritesDynamicLoop),
/// that one result varies over all loops, and that nothing is left to write
/// where they have no iteration.
std::optional<Rejection> checkWholeResult(const IterationSpace &space,
                                          const DimClasses &dims);

/// Checks that all outputs vary over a loop with a dynamic extent, for kernels
/// whose blocks are those of that loop.
std::optional<Rejection> checkWritesDynamicLoop(const IterationSpace &space);

/// Checks that `space` has at most one dynamic extent, which is that of its
/// outermost loop, and the extent of a dimension of an input and of every
/// dynamic dimension.
std::optional<Rejection> checkDynamicExtent(const IterationSpace &space,
                                            const DimClasses &dims);

/// Checks that the inputs with all loops are not contiguous along a loop of
/// `reduced`. The rejection is at `operation`.
std::optional<Rejection> checkKeepsInnermost(const IterationSpace &space,
                                             LoopSet reduced,
                                             Operation *operation);

} // namespace mlir::fusion

#endif // LIB_SCHEDULERS_TRAFFIC_H

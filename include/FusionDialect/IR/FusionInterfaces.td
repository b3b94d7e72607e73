//===- FusionInterfaces.td - Interfaces --------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_INTERFACES_TD
#define FUSION_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Fusion_ScheduleAttrInterface : AttrInterface<"ScheduleAttrInterface"> {
  let cppNamespace = "::mlir::fusion";
  let description = [{
    An attribute that decides everything about the kernel of a segment. Each
    scheduler has its own; an embedder's scheduler brings its own too. Lowering
    reads it and decides nothing.
  }];
  let methods = [
    InterfaceMethod<"The registered name of the scheduler that reads it",
                    "::llvm::StringRef", "getSchedulerName">,
    InterfaceMethod<"Kernels launched for the segment, finish kernels included",
                    "unsigned", "getLaunchCount">,
    InterfaceMethod<"Threads of a block of the main kernel",
                    "unsigned", "getThreadsPerBlock">,
    InterfaceMethod<"Blocks of the main kernel", "unsigned", "getBlocks">,
    InterfaceMethod<"Dynamic shared memory of the main kernel, in bytes",
                    "uint64_t", "getSharedMemoryBytes">
  ];
}

#endif // FUSION_INTERFACES_TD

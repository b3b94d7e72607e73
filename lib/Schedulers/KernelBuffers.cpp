//===- KernelBuffers.cpp - What a kernel over loops is called with --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuffers.h"

using namespace mlir;
using namespace mlir::fusion;

/// The shape of the flat buffer of `value`; none for a scalar.
static SmallVector<int64_t> getFlatShape(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? SmallVector<int64_t>{type.getNumElements()}
              : SmallVector<int64_t>();
}

void KernelBuffers::add(Value host, KernelAccess access) {
  hosts.push_back(host);
  accesses.push_back(access);
}

void KernelBuffers::addInput(Value input) {
  const auto &all = space.getCandidate().inputs;
  unsigned index = llvm::find(all.getArrayRef(), input) - all.begin();
  inputs[input] = hosts.size();
  add(lowering.getInput(index, getFlatShape(input)), KernelAccess::Read);
}

void KernelBuffers::addOutput(unsigned index) {
  outputs[index] = hosts.size();
  add(lowering.getResult(index,
                         getFlatShape(space.getCandidate().outputs[index])),
      KernelAccess::Write);
}

unsigned KernelBuffers::addWorkspace(Value buffer, KernelAccess access) {
  workspaces.push_back(hosts.size());
  add(buffer, access);
  return workspaces.size() - 1;
}

gpu::GPUFuncOp KernelBuffers::createKernel(StringRef suffix, unsigned threads,
                                           unsigned occupancy) {
  kernel = lowering.createKernel(suffix, hosts, accesses, threads, occupancy);
  return kernel;
}

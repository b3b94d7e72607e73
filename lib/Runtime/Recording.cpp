//===- Recording.cpp - A run as a list of commands ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/Recording.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;

Recording::~Recording() {
  // As in DeviceBuffer: the cause of a failed release was reported before.
  for (DevicePtr pointer : deferred)
    llvm::consumeError(target.release(pointer));
}

unsigned Recording::getNumLaunches() const {
  return llvm::count_if(commands, [](const DeviceCommand &command) {
    return std::holds_alternative<LaunchRequest>(command);
  });
}

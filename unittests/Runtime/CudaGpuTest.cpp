//===- CudaGpuTest.cpp - Tests on a real GPU ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the fake driver cannot show. Skipped where there is no GPU.
//
//===----------------------------------------------------------------------===//

#include "CompareCases.h"
#include "FusionDialect/Runtime/CudaDevice.h"

using namespace mlir::fusion;

namespace {

TEST(CudaGpuTest, ComparesMemory) {
  auto device = createCudaDevice();
  if (!device)
    GTEST_SKIP() << llvm::toString(device.takeError());
  testEquals(**device);
}

} // namespace

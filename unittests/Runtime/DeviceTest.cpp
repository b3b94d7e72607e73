//===- DeviceTest.cpp - Tests of what all devices share -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompareCases.h"
#include "FusionDialect/Runtime/CachingDevice.h"
#include "FusionDialect/Runtime/SimulatorDevice.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "HostDevice.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

TEST(DeviceTest, ComparesThroughTheHost) {
  HostDevice device;
  testEquals(device);
  // More than is copied at once, with a difference in the last piece.
  uint64_t bytes = (uint64_t(8) << 20) + 5;
  std::vector<char> host(bytes, 1);
  auto a = llvm::cantFail(DeviceBuffer::create(device, bytes));
  auto b = llvm::cantFail(DeviceBuffer::create(device, bytes));
  for (const auto &buffer : {a, b})
    llvm::cantFail(device.copyIn(buffer->getPointer(), host.data(), bytes));
  DevicePtr x = a->getPointer(), y = b->getPointer();
  EXPECT_TRUE(llvm::cantFail(device.equals(x, y, bytes)));
  reinterpret_cast<char *>(y)[bytes - 1] = 2;
  EXPECT_FALSE(llvm::cantFail(device.equals(x, y, bytes)));
  EXPECT_FALSE(llvm::cantFail(device.equalsHost(y, host.data(), bytes)));
}

TEST(DeviceTest, TheSimulatorCompares) {
  auto device =
      createSimulatorDevice(llvm::cantFail(lookupDeviceModel("sm_90")));
  testEquals(*device);
}

class CachingDeviceTest : public ::testing::Test {
protected:
  HostTensor makeTensor(int64_t elements) {
    HostTensor tensor(Float32Type::get(&context), {elements});
    for (int64_t i = 0; i < elements; ++i)
      tensor.getDataAs<float>()[i] = i;
    return tensor;
  }
  bool holds(DevicePtr pointer, const HostTensor &tensor) {
    return llvm::cantFail(
        device.equalsHost(pointer, tensor.getData(), tensor.getSizeInBytes()));
  }

  MLIRContext context;
  HostDevice host;
  CachingDevice device{host};
};

TEST_F(CachingDeviceTest, ReadsCopies) {
  HostTensor tensor = makeTensor(100), empty = makeTensor(0);
  llvm::cantFail(device.keep(tensor));
  llvm::cantFail(device.keep(tensor));
  llvm::cantFail(device.keep(empty));
  EXPECT_EQ(device.getNumCopies(), 1u);
  auto buffer = llvm::cantFail(DeviceBuffer::create(device, 400));
  // The copy holds what the tensor held when it was made.
  tensor.getDataAs<float>()[7] = -1;
  llvm::cantFail(device.copyIn(buffer->getPointer(), tensor.getData(), 400));
  EXPECT_EQ(reinterpret_cast<float *>(buffer->getPointer())[7], 7);
  EXPECT_TRUE(holds(buffer->getPointer(), tensor));
  device.forget();
  EXPECT_EQ(host.live.size(), 1u);
  EXPECT_FALSE(holds(buffer->getPointer(), tensor));
}

TEST_F(CachingDeviceTest, CopiesGiveWay) {
  HostTensor small = makeTensor(10), large = makeTensor(100);
  host.capacity = 500;
  llvm::cantFail(device.keep(small));
  llvm::cantFail(device.keep(large));
  EXPECT_EQ(device.getNumCopies(), 2u);
  // No copy is made in the place of another.
  llvm::cantFail(device.keep(makeTensor(100)));
  EXPECT_EQ(device.getNumCopies(), 2u);
  auto buffer = llvm::cantFail(DeviceBuffer::create(device, 400));
  EXPECT_EQ(device.getNumCopies(), 1u);
  llvm::cantFail(device.copyIn(buffer->getPointer(), large.getData(), 400));
  EXPECT_TRUE(holds(buffer->getPointer(), large));
  // Nothing is left that could give way.
  auto other = device.allocate(200);
  ASSERT_FALSE(bool(other));
  EXPECT_TRUE(other.errorIsA<OutOfMemoryError>());
  llvm::consumeError(other.takeError());
  EXPECT_EQ(device.getNumCopies(), 0u);
}

} // namespace

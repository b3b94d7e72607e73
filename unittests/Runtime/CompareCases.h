//===- CompareCases.h - What a comparison of memory must see ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UNITTESTS_RUNTIME_COMPARECASES_H
#define FUSION_UNITTESTS_RUNTIME_COMPARECASES_H

#include "FusionDialect/Runtime/Device.h"
#include "gtest/gtest.h"
#include <vector>

namespace mlir::fusion {

/// Compares pieces of many sizes and alignments on `device`: equal ones between
/// bytes that differ, and ones with one other bit at the start, in the middle
/// and at the end.
inline void testEquals(Device &device) {
  constexpr uint64_t room = 32;
  for (uint64_t bytes : {0, 1, 15, 16, 17, 4099, 1 << 20}) {
    std::vector<uint8_t> host(bytes + 2 * room, 0xa5);
    for (uint64_t i = 0; i < bytes; ++i)
      host[room + i] = i * 37 + i / 251;
    auto a = llvm::cantFail(DeviceBuffer::create(device, host.size()));
    auto b = llvm::cantFail(DeviceBuffer::create(device, host.size()));
    llvm::cantFail(
        device.execute(FillCommand{b->getPointer(), 0, 1, host.size()}));
    for (auto [left, right] : {std::pair(0, 0), {3, 3}, {8, 8}, {0, 5}}) {
      DevicePtr x = a->getPointer() + left, y = b->getPointer() + right;
      llvm::cantFail(
          device.copyIn(a->getPointer(), &host[room - left], bytes + room));
      auto set = [&](uint64_t index, uint8_t flipped) {
        uint8_t byte = host[room + index] ^ flipped;
        llvm::cantFail(device.copyIn(y + index, &byte, 1));
      };
      if (bytes)
        llvm::cantFail(device.copyIn(y, &host[room], bytes));
      EXPECT_TRUE(llvm::cantFail(device.equals(x, y, bytes)))
          << bytes << " bytes at " << left << " and " << right;
      EXPECT_TRUE(llvm::cantFail(device.equalsHost(y, &host[room], bytes)));
      if (bytes == 0)
        continue;
      for (uint64_t index : {uint64_t(0), bytes / 2, bytes - 1}) {
        set(index, 0x80);
        EXPECT_FALSE(llvm::cantFail(device.equals(x, y, bytes)))
            << "byte " << index << " of " << bytes << " at " << left << " and "
            << right;
        EXPECT_FALSE(llvm::cantFail(device.equalsHost(y, &host[room], bytes)));
        set(index, 0);
      }
    }
  }
}

} // namespace mlir::fusion

#endif // FUSION_UNITTESTS_RUNTIME_COMPARECASES_H

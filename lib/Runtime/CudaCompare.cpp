//===- CudaCompare.cpp - Comparing memory of a GPU ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The comparison is a kernel in PTX of an old version, which every driver
// compiles for every GPU. Where it cannot be loaded (a driver may come without
// its compiler), the memory is compared on the host.
//
//===----------------------------------------------------------------------===//

#include "CudaCompare.h"

#include "CudaDeviceImpl.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;
using namespace mlir::fusion;

const char *const cuda::comparePtx = R"ptx(
.version 6.0
.target sm_50
.address_size 64

.visible .entry fusion_compare_bytes(
  .param .u64 a, .param .u64 b, .param .u64 head,
  .param .u64 vectors, .param .u64 rest, .param .u64 flag)
{
  .reg .pred %p;
  .reg .b32 %block, %blocks, %threads, %lane, %ca, %cb;
  .reg .b64 %a, %b, %head, %vectors, %rest, %flag, %middle;
  .reg .b64 %first, %step, %i, %offset, %pa, %pb;
  .reg .b64 %a0, %a1, %b0, %b1, %different;

  ld.param.u64 %a, [a];
  ld.param.u64 %b, [b];
  ld.param.u64 %head, [head];
  ld.param.u64 %vectors, [vectors];
  ld.param.u64 %rest, [rest];
  ld.param.u64 %flag, [flag];
  cvta.to.global.u64 %a, %a;
  cvta.to.global.u64 %b, %b;
  cvta.to.global.u64 %flag, %flag;

  // The number of this thread, and of all threads.
  mov.u32 %block, %ctaid.x;
  mov.u32 %blocks, %nctaid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %lane, %tid.x;
  mul.wide.u32 %first, %block, %threads;
  cvt.u64.u32 %i, %lane;
  add.u64 %first, %first, %i;
  mul.wide.u32 %step, %blocks, %threads;

  mov.u64 %different, 0;
  mov.u64 %i, %first;
  setp.ge.u64 %p, %i, %vectors;
  @%p bra bytes;
vector:
  shl.b64 %offset, %i, 4;
  add.u64 %offset, %offset, %head;
  add.u64 %pa, %a, %offset;
  add.u64 %pb, %b, %offset;
  ld.global.v2.u64 {%a0, %a1}, [%pa];
  ld.global.v2.u64 {%b0, %b1}, [%pb];
  xor.b64 %a0, %a0, %b0;
  xor.b64 %a1, %a1, %b1;
  or.b64 %different, %different, %a0;
  or.b64 %different, %different, %a1;
  add.u64 %i, %i, %step;
  setp.lt.u64 %p, %i, %vectors;
  @%p bra vector;

bytes:
  // Byte i stands at i before the vectors, and at i + middle behind them.
  shl.b64 %middle, %vectors, 4;
  mov.u64 %i, %first;
  setp.ge.u64 %p, %i, %rest;
  @%p bra done;
byte:
  setp.ge.u64 %p, %i, %head;
  selp.b64 %offset, %middle, 0, %p;
  add.u64 %offset, %offset, %i;
  add.u64 %pa, %a, %offset;
  add.u64 %pb, %b, %offset;
  ld.global.u8 %ca, [%pa];
  ld.global.u8 %cb, [%pb];
  xor.b32 %ca, %ca, %cb;
  cvt.u64.u32 %a0, %ca;
  or.b64 %different, %different, %a0;
  add.u64 %i, %i, %step;
  setp.lt.u64 %p, %i, %rest;
  @%p bra byte;

done:
  setp.eq.u64 %p, %different, 0;
  @%p bra end;
  red.global.or.b32 [%flag], 1;
end:
  ret;
}
)ptx";

llvm::Error CudaDevice::loadComparison() {
  if (llvm::Error error = driver->check(
          driver->cuModuleLoadDataEx(&comparison.module, cuda::comparePtx, 0,
                                     nullptr, nullptr),
          "cuModuleLoadDataEx"))
    return error;
  if (llvm::Error error = driver->check(
          driver->cuModuleGetFunction(&comparison.kernel, comparison.module,
                                      cuda::compareKernelName),
          "cuModuleGetFunction"))
    return error;
  llvm::Expected<DevicePtr> flag = allocate(sizeof(uint32_t));
  if (!flag)
    return flag.takeError();
  comparison.flag = *flag;
  return llvm::Error::success();
}

bool CudaDevice::hasComparison() {
  if (!comparison.isTried) {
    comparison.isTried = true;
    // Whatever else is wrong with the device, copies to the host say it too.
    llvm::consumeError(loadComparison());
  }
  return comparison.flag != 0;
}

void CudaDevice::unloadComparison() {
  if (comparison.flag)
    driver->cuMemFree_v2(comparison.flag);
  if (comparison.module)
    driver->cuModuleUnload(comparison.module);
}

llvm::Expected<bool> CudaDevice::equals(DevicePtr a, DevicePtr b,
                                        uint64_t bytes) {
  if (bytes == 0)
    return true;
  // A tool that watches memory shall report what the program reads.
  if (isWatched || !hasComparison())
    return Device::equals(a, b, bytes);

  // Vectors are possible if both pieces reach a multiple of 16 bytes together.
  constexpr uint64_t vectorBytes = 16;
  uint64_t head = bytes, vectors = 0;
  if (a % vectorBytes == b % vectorBytes) {
    head = std::min(bytes, (vectorBytes - a % vectorBytes) % vectorBytes);
    vectors = (bytes - head) / vectorBytes;
  }
  uint64_t rest = bytes - vectors * vectorBytes;

  // As many threads as a multiprocessor holds, for as many loads in flight.
  constexpr unsigned threads = 256, blocksPerMultiprocessor = 8;
  uint64_t needed = llvm::divideCeil(std::max(vectors, rest), threads);
  uint64_t resident = uint64_t(std::max(description.multiprocessors, 1u)) *
                      blocksPerMultiprocessor;
  cuda::LaunchConfig config = {};
  config.gridX = std::min(needed, resident);
  config.gridY = config.gridZ = 1;
  config.blockX = threads;
  config.blockY = config.blockZ = 1;
  config.stream = stream;
  void *parameters[] = {&a, &b, &head, &vectors, &rest, &comparison.flag};
  if (llvm::Error error = fill({comparison.flag, 0, 4, sizeof(uint32_t)}))
    return error;
  if (llvm::Error error =
          driver->check(driver->cuLaunchKernelEx(&config, comparison.kernel,
                                                 parameters, nullptr),
                        "comparing memory (cuLaunchKernelEx)"))
    return error;
  uint32_t isDifferent = 0;
  if (llvm::Error error =
          copyOut(&isDifferent, comparison.flag, sizeof(isDifferent)))
    return error;
  return isDifferent == 0;
}

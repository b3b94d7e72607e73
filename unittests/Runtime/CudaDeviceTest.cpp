//===- CudaDeviceTest.cpp - Tests of the CUDA device ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against the fake driver: how the device calls the driver, and what it says
// when the driver refuses.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/CudaDevice.h"
#include "CompareCases.h"
#include "CudaCompare.h"
#include "FakeCudaDriver.h"
#include "FusionDialect/Conversion/Ptxas.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/DynamicLibrary.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

class CudaDeviceTest : public ::testing::Test {
protected:
  CudaDeviceTest() {
    context.loadDialect<gpu::GPUDialect, NVVM::NVVMDialect>();
    device = llvm::cantFail(createCudaDevice(FAKE_CUDA_DRIVER));
    auto library =
        llvm::sys::DynamicLibrary::getPermanentLibrary(FAKE_CUDA_DRIVER);
    state = reinterpret_cast<FakeCudaState *(*)()>(
        library.getAddressOfSymbol(fakeCudaStateName))();
    *state = FakeCudaState();
  }

  std::string load(const char *image, const char *format = "assembly") {
    std::string text = "gpu.binary @k [#gpu.object<#nvvm.target, " +
                       std::string(format) + " = \"" + image + "\">]";
    module = parseSourceString<ModuleOp>(text, &context);
    return llvm::toString(device->loadKernels(&module->getBody()->front()));
  }
  std::string execute(const DeviceCommand &command) {
    return llvm::toString(device->execute(command));
  }
  LaunchRequest makeLaunch(const char *kernel) {
    LaunchRequest request;
    request.module = "k";
    request.kernel = kernel;
    request.grid = {2, 3, 4};
    request.block = {5, 6, 7};
    return request;
  }

  MLIRContext context;
  std::unique_ptr<Device> device;
  FakeCudaState *state;
  OwningOpRef<ModuleOp> module;
};

TEST_F(CudaDeviceTest, Describes) {
  const DeviceDescription &description = device->getDescription();
  EXPECT_EQ(description.kind, "cuda");
  EXPECT_EQ(description.name, "Fake GPU");
  EXPECT_EQ(description.driver, "12.8");
  EXPECT_EQ(description.chip, "sm_90");
  EXPECT_EQ(description.l2Bytes, 1u << 20);
}

TEST_F(CudaDeviceTest, MissingDriver) {
  auto missing = createCudaDevice("libno-such-driver.so.1");
  ASSERT_FALSE(bool(missing));
  std::string text = llvm::toString(missing.takeError());
  EXPECT_NE(text.find("no CUDA driver: "), std::string::npos) << text;
  // A library that is no driver.
  auto other = createCudaDevice("libm.so.6");
  ASSERT_FALSE(bool(other));
  text = llvm::toString(other.takeError());
  EXPECT_NE(text.find("it has no function cu"), std::string::npos) << text;
}

TEST_F(CudaDeviceTest, NoGpu) {
  setenv("FAKE_CUDA_DEVICES", "0", 1);
  auto none = createCudaDevice(FAKE_CUDA_DRIVER);
  unsetenv("FAKE_CUDA_DEVICES");
  ASSERT_FALSE(bool(none));
  EXPECT_EQ(llvm::toString(none.takeError()), "the CUDA driver shows no GPU");
}

TEST_F(CudaDeviceTest, MemoryRoundTrip) {
  uint16_t pattern[4] = {}, expected[4] = {0xabcd, 0xabcd, 7, 7};
  {
    auto a = llvm::cantFail(DeviceBuffer::create(*device, 8));
    auto b = llvm::cantFail(DeviceBuffer::create(*device, 8));
    auto empty = llvm::cantFail(DeviceBuffer::create(*device, 0));
    EXPECT_NE(empty->getPointer(), 0u);
    EXPECT_EQ(execute(FillCommand{a->getPointer(), 0xabcd, 2, 4}), "");
    EXPECT_EQ(execute(FillCommand{a->getPointer() + 4, 0x70007, 4, 4}), "");
    EXPECT_EQ(execute(CopyCommand{b->getPointer(), a->getPointer(), 8}), "");
    EXPECT_EQ(llvm::toString(device->copyOut(pattern, b->getPointer(), 8)), "");
  }
  EXPECT_EQ(0, std::memcmp(pattern, expected, sizeof(expected)));
  EXPECT_EQ(state->liveAllocations, 0);
}

TEST_F(CudaDeviceTest, OutOfMemorySaysHowMuch) {
  auto pointer = device->allocate(uint64_t(5) << 30);
  ASSERT_FALSE(bool(pointer));
  EXPECT_EQ(llvm::toString(pointer.takeError()),
            "out of device memory: 5368709120 bytes were asked for, and "
            "4294967296 of 4294967296 are free");
}

TEST_F(CudaDeviceTest, LaunchPassesEverything) {
  ASSERT_EQ(load("ptx"), "");
  float in[3] = {1, 2, 3}, out[3] = {};
  auto x = llvm::cantFail(DeviceBuffer::create(*device, sizeof(in)));
  auto y = llvm::cantFail(DeviceBuffer::create(*device, sizeof(out)));
  llvm::cantFail(device->copyIn(x->getPointer(), in, sizeof(in)));
  LaunchRequest request = makeLaunch("scale");
  request.cluster = Dim3{2, 1, 1};
  request.cooperative = request.programmaticDependent = true;
  request.sharedBytes = 200 << 10;
  request.arguments = {
      {x->getPointer(), 8}, {y->getPointer(), 8}, {3, 8}, {0x40000000, 4}};
  ASSERT_EQ(execute(request), "");
  llvm::cantFail(device->copyOut(out, y->getPointer(), sizeof(out)));
  EXPECT_EQ(out[2], 6);
  EXPECT_EQ(state->launch.gridX, 2u);
  EXPECT_EQ(state->launch.gridZ, 4u);
  EXPECT_EQ(state->launch.blockY, 6u);
  EXPECT_EQ(state->launch.sharedBytes, unsigned(200 << 10));
  EXPECT_EQ(state->functionAttributes[cuda::MaxDynamicSharedSizeBytes],
            200 << 10);
  ASSERT_EQ(state->attributes.size(), 3u);
  EXPECT_EQ(state->attributes[0].value.cluster.x, 2u);
  EXPECT_EQ(state->attributes[1].id, cuda::LaunchAttribute::Cooperative);
  EXPECT_EQ(state->attributes[2].value.flag, 1);
}

TEST_F(CudaDeviceTest, LargeClustersAreAskedFor) {
  ASSERT_EQ(load("ptx"), "");
  LaunchRequest request = makeLaunch("empty");
  request.cluster = Dim3{8, 1, 1};
  ASSERT_EQ(execute(request), "");
  EXPECT_EQ(
      state->functionAttributes.count(cuda::NonPortableClusterSizeAllowed), 0u);
  ASSERT_EQ(state->attributes.size(), 1u);
  request.cluster = Dim3{8, 2, 1};
  ASSERT_EQ(execute(request), "");
  EXPECT_EQ(state->functionAttributes[cuda::NonPortableClusterSizeAllowed], 1);
}

TEST_F(CudaDeviceTest, ReplaysKeepTheModes) {
  ASSERT_EQ(load("ptx"), "");
  LaunchRequest request = makeLaunch("empty");
  request.programmaticDependent = true;
  ReplayOptions options;
  options.repetitions = options.warmup = 1;
  ASSERT_TRUE(
      bool(device->timeReplays({makeLaunch("empty"), request}, options)));
  // What was captured last is the dependent launch.
  ASSERT_EQ(state->attributes.size(), 1u);
  EXPECT_EQ(state->attributes[0].id,
            cuda::LaunchAttribute::ProgrammaticStreamSerialization);
}

TEST_F(CudaDeviceTest, RefusesOtherArguments) {
  ASSERT_EQ(
      load(".entry scale( .param .u64 p0, .param .u64 p1, .param .u64 p2, "
           ".param .f32 p3) {} .entry empty() {}"),
      "");
  LaunchRequest request = makeLaunch("scale");
  EXPECT_EQ(execute(request), "the kernel 'scale' takes 4 arguments, but the "
                              "launch passes 0");
  request.arguments = {{0, 8}, {0, 8}, {0, 4}, {0, 4}};
  EXPECT_EQ(execute(request), "the kernel 'scale' takes 8 bytes as parameter "
                              "2, but the launch passes 4");
  request = makeLaunch("empty");
  request.arguments = {{0, 8}};
  EXPECT_EQ(execute(request),
            "the kernel 'empty' takes 0 arguments, but the launch passes 1");
  EXPECT_EQ(state->kernelsRun, 0u);
}

TEST_F(CudaDeviceTest, SaysWhatTheDriverRefuses) {
  EXPECT_EQ(load("broken"),
            "loading the kernels of 'k' (cuModuleLoadDataEx) failed with "
            "CUDA_ERROR_INVALID_PTX (218): as the fake driver describes it; "
            "ptxas fatal: line 1 is broken");
  EXPECT_EQ(load("bitcode", "offload"),
            "expected PTX or a cubin in gpu.binary 'k'");
  ASSERT_EQ(load("ptx"), "");
  EXPECT_EQ(load("ptx"), "the kernels of 'k' are loaded already");
  EXPECT_EQ(execute(makeLaunch("missing")),
            "looking for the kernel 'k::missing' (cuModuleGetFunction) failed "
            "with CUDA_ERROR_NOT_FOUND (500): as the fake driver describes it");
  LaunchRequest request = makeLaunch("empty");
  request.module = "other";
  EXPECT_EQ(execute(request), "there is no gpu.binary 'other'");
  request = makeLaunch("empty");
  request.sharedBytes = 300 << 10;
  EXPECT_EQ(execute(request),
            "asking for 307200 bytes of dynamic shared memory "
            "(cuFuncSetAttribute) failed with CUDA_ERROR_INVALID_VALUE (1): as "
            "the fake driver describes it");
}

TEST_F(CudaDeviceTest, Resources) {
  ASSERT_EQ(load("ptx"), "");
  auto resources = device->getResources("k", "empty");
  ASSERT_TRUE(bool(resources));
  EXPECT_EQ(resources->registers, 42u);
  EXPECT_EQ(resources->localBytes, 16u);
  EXPECT_EQ(resources->staticSharedBytes, 128u);
}

TEST_F(CudaDeviceTest, ComparesOnTheDevice) {
  testEquals(*device);
  auto buffer = llvm::cantFail(DeviceBuffer::create(*device, 1 << 10));
  DevicePtr pointer = buffer->getPointer();
  llvm::cantFail(device->execute(FillCommand{pointer, 7, 1, 1 << 10}));
  state->kernelsRun = 0;
  // 12 bytes, then vectors, then one byte.
  EXPECT_TRUE(llvm::cantFail(device->equals(pointer + 4, pointer + 500, 141)));
  EXPECT_EQ(state->comparedVectors, 8u);
  EXPECT_TRUE(state->comparesAligned);
  EXPECT_EQ(state->launch.gridX, 1u);
  // Never aligned together.
  EXPECT_TRUE(llvm::cantFail(device->equals(pointer, pointer + 501, 256)));
  EXPECT_EQ(state->comparedVectors, 0u);
  // Nothing to compare.
  EXPECT_TRUE(llvm::cantFail(device->equals(pointer, pointer + 1, 0)));
  EXPECT_EQ(state->kernelsRun, 2u);
  // What the comparison needs goes with the device.
  buffer.reset();
  device.reset();
  EXPECT_EQ(state->liveAllocations, 0);
}

TEST_F(CudaDeviceTest, WatchedDevicesCompareOnTheHost) {
  device = llvm::cantFail(createCudaDevice(FAKE_CUDA_DRIVER, true));
  testEquals(*device);
  EXPECT_EQ(state->kernelsRun, 0u);
}

TEST_F(CudaDeviceTest, TheComparisonAssembles) {
  std::string ptxas = findPtxas();
  if (ptxas.empty())
    GTEST_SKIP() << "there is no ptxas";
  for (const char *chip : {"sm_80", "sm_90"}) {
    auto target = NVVM::NVVMTargetAttr::get(&context, /*optLevel=*/3,
                                            "nvptx64-nvidia-cuda", chip);
    OpBuilder builder(&context);
    auto object = gpu::ObjectAttr::get(target, gpu::CompilationTarget::Assembly,
                                       builder.getStringAttr(cuda::comparePtx));
    OwningOpRef<gpu::BinaryOp> binary = gpu::BinaryOp::create(
        builder, builder.getUnknownLoc(), "k", nullptr, {object});
    auto resources = getResourcesFromPtxas(ptxas, *binary);
    ASSERT_TRUE(bool(resources)) << llvm::toString(resources.takeError());
    ASSERT_EQ(resources->count(cuda::compareKernelName), 1u);
    EXPECT_EQ((*resources)[cuda::compareKernelName].localBytes, 0u);
  }
}

TEST_F(CudaDeviceTest, ReplaysTheGraph) {
  ASSERT_EQ(load("ptx"), "");
  ReplayOptions options;
  options.repetitions = 7;
  options.warmup = 2;
  auto times =
      device->timeReplays({makeLaunch("empty"), makeLaunch("empty")}, options);
  ASSERT_TRUE(bool(times));
  EXPECT_EQ(*times, std::vector<double>(7, 250.0));
  EXPECT_EQ(state->graphLaunches, 9u);
  EXPECT_EQ(state->kernelsRun, 18u);
  // The L2 cache is flushed before each, and nothing outlives that.
  EXPECT_EQ(state->fills, 9u);
  EXPECT_EQ(state->outlivedFills, 0u);
  EXPECT_EQ(state->liveAllocations, 0);
  EXPECT_EQ(state->liveEvents, 0);
}

TEST_F(CudaDeviceTest, ResetsOfTheCache) {
  ASSERT_EQ(load("ptx"), "");
  // Chips that keep no lines need no reset.
  state->resetResult = cuda::ErrorNotSupported;
  EXPECT_TRUE(bool(device->timeReplays({makeLaunch("empty")}, {})));
  state->resetResult = cuda::ErrorInvalidValue;
  auto times = device->timeReplays({makeLaunch("empty")}, {});
  ASSERT_FALSE(bool(times));
  EXPECT_EQ(llvm::toString(times.takeError()),
            "cuCtxResetPersistingL2Cache failed with CUDA_ERROR_INVALID_VALUE "
            "(1): as the fake driver describes it");
}

TEST_F(CudaDeviceTest, FailedCapturesEnd) {
  ASSERT_EQ(load("ptx"), "");
  auto times = device->timeReplays({makeLaunch("missing")}, {});
  ASSERT_FALSE(bool(times));
  llvm::consumeError(times.takeError());
  // The stream works again: the launch runs at once.
  EXPECT_EQ(execute(makeLaunch("empty")), "");
  EXPECT_EQ(state->kernelsRun, 1u);
  EXPECT_EQ(state->liveAllocations, 0);
}

TEST_F(CudaDeviceTest, CopyBandwidth) {
  // A third of 4 GiB in whole chunks of 32 MiB, read and written in 250 us.
  auto bandwidth = device->measureCopyBandwidth();
  ASSERT_TRUE(bool(bandwidth));
  double bytes = double((uint64_t(4) << 30) / 3 / (32 << 20) * (32 << 20));
  EXPECT_DOUBLE_EQ(*bandwidth, 2 * bytes / 250e-6);
  EXPECT_EQ(state->liveAllocations, 0);
}

} // namespace

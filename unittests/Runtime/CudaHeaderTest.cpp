//===- CudaHeaderTest.cpp - Our driver declarations and the toolkit's -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Built where a CUDA toolkit is: its header must agree with what CudaDriver.h
// declares.
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"
#include <cuda.h>
#include <gtest/gtest.h>

namespace ours = mlir::fusion::cuda;

static_assert(sizeof(ours::LaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(offsetof(ours::LaunchAttribute, value) ==
              offsetof(CUlaunchAttribute, value));
static_assert(sizeof(ours::LaunchConfig) == sizeof(CUlaunchConfig));
static_assert(offsetof(ours::LaunchConfig, sharedBytes) ==
              offsetof(CUlaunchConfig, sharedMemBytes));
static_assert(offsetof(ours::LaunchConfig, stream) ==
              offsetof(CUlaunchConfig, hStream));
static_assert(offsetof(ours::LaunchConfig, attributes) ==
              offsetof(CUlaunchConfig, attrs));
static_assert(offsetof(ours::LaunchConfig, numAttributes) ==
              offsetof(CUlaunchConfig, numAttrs));
static_assert(sizeof(ours::DevicePointer) == sizeof(CUdeviceptr));

TEST(CudaHeaderTest, NumbersAgree) {
  EXPECT_EQ(int(ours::ErrorInvalidValue), int(CUDA_ERROR_INVALID_VALUE));
  EXPECT_EQ(int(ours::ErrorOutOfMemory), int(CUDA_ERROR_OUT_OF_MEMORY));
  EXPECT_EQ(int(ours::ErrorNotSupported), int(CUDA_ERROR_NOT_SUPPORTED));
  EXPECT_EQ(int(ours::MultiprocessorCount),
            int(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  EXPECT_EQ(int(ours::L2CacheSize), int(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
  EXPECT_EQ(int(ours::ComputeCapabilityMajor),
            int(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR));
  EXPECT_EQ(int(ours::ComputeCapabilityMinor),
            int(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  EXPECT_EQ(int(ours::SharedSizeBytes),
            int(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
  EXPECT_EQ(int(ours::LocalSizeBytes), int(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
  EXPECT_EQ(int(ours::NumRegs), int(CU_FUNC_ATTRIBUTE_NUM_REGS));
  EXPECT_EQ(int(ours::MaxDynamicSharedSizeBytes),
            int(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES));
  EXPECT_EQ(int(ours::NonPortableClusterSizeAllowed),
            int(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED));
  EXPECT_EQ(int(ours::ErrorLogBuffer), int(CU_JIT_ERROR_LOG_BUFFER));
  EXPECT_EQ(int(ours::ErrorLogBufferSizeBytes),
            int(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES));
  EXPECT_EQ(unsigned(ours::StreamNonBlocking),
            unsigned(CU_STREAM_NON_BLOCKING));
  EXPECT_EQ(unsigned(ours::CaptureModeThreadLocal),
            unsigned(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  EXPECT_EQ(int(ours::LaunchAttribute::Cooperative),
            int(CU_LAUNCH_ATTRIBUTE_COOPERATIVE));
  EXPECT_EQ(int(ours::LaunchAttribute::ClusterDimension),
            int(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION));
  EXPECT_EQ(int(ours::LaunchAttribute::ProgrammaticStreamSerialization),
            int(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION));
}

//===- CompileGpu.cpp - Threads, barriers, shuffles, arguments ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::sim;

LogicalResult Compiler::compileArguments() {
  gpu::GPUFuncOp kernel = getKernel();
  unsigned count = kernel.getFunctionType().getNumInputs();
  program.argumentGranules.assign(count, kMaxGranule);
  for (unsigned i = 0; i < count; ++i) {
    Value arg = kernel.getArgument(i);
    program.argumentTypes.push_back(arg.getType());
    auto components = getComponents(arg.getType());
    if (!components || components->empty())
      return kernel.emitError("the simulator does not execute arguments of "
                              "type ")
             << arg.getType();
    auto memref = dyn_cast<MemRefType>(arg.getType());
    uint32_t bytes = components->front().getElementBytes();
    llvm::SmallVector<uint32_t, 1> regs{
        addLaunchValue({LaunchValue::ArgumentBits, i, 0, 0, bytes})};
    if (!memref) {
      if (components->front().n != 1)
        return kernel.emitError("the simulator does not execute arguments of "
                                "type ")
               << arg.getType();
      values[arg] = regs;
      continue;
    }
    if (!memref.getLayout().isIdentity() && !memref.hasStaticShape())
      return kernel.emitError("expected a memref argument with static shape or "
                              "identity layout, but got ")
             << memref;
    llvm::SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(memref.getStridesAndOffset(strides, offset)) || offset != 0 ||
        (memref.hasStaticShape() &&
         llvm::any_of(strides, ShapedType::isDynamic)))
      return kernel.emitError("expected a memref argument with offset 0 and "
                              "static strides, but got ")
             << memref;
    for (int64_t dim = 0; dim < memref.getRank(); ++dim)
      if (memref.isDynamicDim(dim))
        regs.push_back(addLaunchValue(
            {LaunchValue::ArgumentSize, i, unsigned(dim), 0, 8}));
    for (int64_t dim = 0; dim < memref.getRank(); ++dim)
      if (ShapedType::isDynamic(strides[dim]))
        regs.push_back(addLaunchValue(
            {LaunchValue::ArgumentStride, i, unsigned(dim), 0, 8}));
    values[arg] = regs;
  }
  for (auto [i, buffer] : llvm::enumerate(kernel.getWorkgroupAttributions())) {
    auto type = cast<MemRefType>(buffer.getType());
    auto element = getRegisterShape(type.getElementType());
    if (!element || !type.hasStaticShape() || !type.getLayout().isIdentity())
      return kernel.emitError("the simulator does not execute shared buffers "
                              "of type ")
             << type;
    uint64_t bytes = element->getElementBytes() * element->n;
    uint64_t alignment = llvm::PowerOf2Ceil(bytes);
    if (auto stated = dyn_cast_or_null<IntegerAttr>(
            kernel.getWorkgroupAttributionAttr(i, "llvm.align")))
      alignment = stated.getInt();
    values[buffer] = {addSharedBuffer(("shared buffer " + llvm::Twine(i)).str(),
                                      type.getNumElements() * bytes,
                                      alignment)};
  }
  if (kernel.getNumPrivateAttributions())
    return kernel.emitError(
        "the simulator does not execute private attributions");
  return success();
}

/// What an operation that asks for a thread's place answers: per thread, or
/// the same for the whole launch.
static std::optional<ThreadQuery> getThreadQuery(Operation *op) {
  auto pick = [](ThreadQuery x, gpu::Dimension dimension) {
    return static_cast<ThreadQuery>(unsigned(x) + unsigned(dimension));
  };
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return pick(ThreadQuery::ThreadX, id.getDimension());
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return pick(ThreadQuery::BlockX, id.getDimension());
  if (auto id = dyn_cast<gpu::ClusterIdOp>(op))
    return pick(ThreadQuery::ClusterX, id.getDimension());
  if (auto id = dyn_cast<gpu::ClusterBlockIdOp>(op))
    return pick(ThreadQuery::ClusterBlockX, id.getDimension());
  if (isa<gpu::LaneIdOp>(op))
    return ThreadQuery::LaneId;
  if (isa<gpu::SubgroupIdOp>(op))
    return ThreadQuery::WarpId;
  return std::nullopt;
}

static std::optional<LaunchValue> getLaunchValue(Operation *op) {
  auto make = [](LaunchValue::Kind kind, gpu::Dimension dimension) {
    return LaunchValue{kind, unsigned(dimension)};
  };
  if (auto dim = dyn_cast<gpu::BlockDimOp>(op))
    return make(LaunchValue::BlockDim, dim.getDimension());
  if (auto dim = dyn_cast<gpu::GridDimOp>(op))
    return make(LaunchValue::GridDim, dim.getDimension());
  if (auto dim = dyn_cast<gpu::ClusterDimOp>(op))
    return make(LaunchValue::ClusterGridDim, dim.getDimension());
  if (auto dim = dyn_cast<gpu::ClusterDimBlocksOp>(op))
    return make(LaunchValue::ClusterDim, dim.getDimension());
  return std::nullopt;
}

LogicalResult Compiler::compileShuffle(Operation *op) {
  auto shuffle = cast<gpu::ShuffleOp>(op);
  auto mode = ShuffleMode::Xor;
  switch (shuffle.getMode()) {
  case gpu::ShuffleMode::XOR:
    break;
  case gpu::ShuffleMode::UP:
    mode = ShuffleMode::Up;
    break;
  case gpu::ShuffleMode::DOWN:
    mode = ShuffleMode::Down;
    break;
  case gpu::ShuffleMode::IDX:
    mode = ShuffleMode::Idx;
    break;
  }
  RegisterShape shape = *getRegisterShape(shuffle.getValue().getType());
  uint32_t value = useOne(shuffle.getValue());
  uint32_t offset = useOne(shuffle.getOffset());
  uint32_t width = useOne(shuffle.getWidth());
  uint32_t result = define(shuffle.getShuffleResult()).front();
  uint32_t valid = define(shuffle.getValid()).front();
  emit(getShuffleHandler(shape.getElementBytes()), result, value, offset, width,
       shape.n, int64_t(mode), valid);
  return success();
}

static BinaryOp getReduceOp(gpu::AllReduceOperation kind, bool isFloat) {
  switch (kind) {
  case gpu::AllReduceOperation::ADD:
    return isFloat ? BinaryOp::AddF : BinaryOp::AddI;
  case gpu::AllReduceOperation::MUL:
    return isFloat ? BinaryOp::MulF : BinaryOp::MulI;
  case gpu::AllReduceOperation::MINUI:
    return BinaryOp::MinUI;
  case gpu::AllReduceOperation::MINSI:
    return BinaryOp::MinSI;
  case gpu::AllReduceOperation::MINNUMF:
    return BinaryOp::MinNumF;
  case gpu::AllReduceOperation::MAXUI:
    return BinaryOp::MaxUI;
  case gpu::AllReduceOperation::MAXSI:
    return BinaryOp::MaxSI;
  case gpu::AllReduceOperation::MAXNUMF:
    return BinaryOp::MaxNumF;
  case gpu::AllReduceOperation::AND:
    return BinaryOp::And;
  case gpu::AllReduceOperation::OR:
    return BinaryOp::Or;
  case gpu::AllReduceOperation::XOR:
    return BinaryOp::Xor;
  case gpu::AllReduceOperation::MINIMUMF:
    return BinaryOp::MinimumF;
  case gpu::AllReduceOperation::MAXIMUMF:
    return BinaryOp::MaximumF;
  }
  return BinaryOp::AddI;
}

LogicalResult Compiler::compileSubgroupReduce(Operation *op) {
  auto reduce = cast<gpu::SubgroupReduceOp>(op);
  RegisterShape shape = *getRegisterShape(reduce.getType());
  Handler handler = getSubgroupReduceHandler(
      getReduceOp(reduce.getOp(), isFloatKind(shape.kind)), shape.kind);
  if (!handler)
    return refuse(op);
  int64_t size = reduce.getClusterSize().value_or(kLanes);
  int64_t stride = reduce.getClusterStride();
  if (size * stride > int64_t(kLanes))
    return refuse(op);
  uint32_t value = useOne(reduce.getValue());
  emit(handler, define(reduce.getResult()).front(), value, kNoRegister,
       kNoRegister, shape.n, size | stride << 8);
  return success();
}

LogicalResult Compiler::compileAsyncCopy(Operation *op) {
  auto copy = cast<nvgpu::DeviceAsyncCopyOp>(op);
  uint32_t count = copy.getDstElements().getZExtValue();
  RegisterShape element =
      *getRegisterShape(copy.getDst().getType().getElementType());
  uint32_t bytes = count * element.getElementBytes();
  // cp.async moves 4, 8 or 16 bytes, each aligned to its own size.
  if (element.n != 1 || (bytes != 4 && bytes != 8 && bytes != 16))
    return op->emitError("expected an asynchronous copy of 4, 8 or 16 bytes, "
                         "but got ")
           << bytes * element.n;
  FailureOr<uint32_t> target =
      addAccess(op, copy.getDst(), copy.getDstIndices(), count, bytes);
  FailureOr<uint32_t> source =
      addAccess(op, copy.getSrc(), copy.getSrcIndices(), count, bytes);
  if (failed(target) || failed(source))
    return failure();
  if (copy.getSrcElements())
    noteGranule(copy.getSrc(), element.getElementBytes());
  uint32_t sourceCount =
      copy.getSrcElements() ? useOne(copy.getSrcElements()) : kNoRegister;
  emit(&executeAsyncCopy, kNoRegister, sourceCount).aux = *target;
  values[copy.getAsyncToken()] = {};
  return success();
}

Compiler::Result Compiler::compileGpu(Operation *op) {
  if (std::optional<ThreadQuery> query = getThreadQuery(op)) {
    emit(&executeThreadQuery, define(op->getResult(0)).front(), kNoRegister)
        .imm = int64_t(*query);
    return success();
  }
  if (std::optional<LaunchValue> value = getLaunchValue(op)) {
    values[op->getResult(0)] = {addLaunchValue(*value)};
    return success();
  }
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<gpu::SubgroupSizeOp>([&](auto) {
        values[op->getResult(0)] = {getIndexConstant(kLanes)};
        return success();
      })
      .Case<gpu::NumSubgroupsOp>([&](auto) {
        values[op->getResult(0)] = {addLaunchValue({LaunchValue::WarpCount})};
        return success();
      })
      .Case<gpu::BarrierOp>([&](auto) {
        emit(&executeBlockBarrier);
        return success();
      })
      .Case<gpu::ShuffleOp>([&](auto) { return compileShuffle(op); })
      .Case<gpu::SubgroupReduceOp>(
          [&](auto) { return compileSubgroupReduce(op); })
      .Case<gpu::DynamicSharedMemoryOp>([&](auto) {
        program.usesDynamicShared = true;
        uint32_t address = addLaunchValue({LaunchValue::DynamicSharedAddress});
        uint32_t size = addLaunchValue({LaunchValue::DynamicSharedBytes});
        bindMemRef(op->getResult(0),
                   {address, {Operand{size, 0}}, {Operand{kNoRegister, 1}}});
        return success();
      })
      .Case<nvgpu::DeviceAsyncCopyOp>(
          [&](auto) { return compileAsyncCopy(op); })
      .Case<nvgpu::DeviceAsyncCreateGroupOp>(
          [&](nvgpu::DeviceAsyncCreateGroupOp group) {
            emit(&executeAsyncCommit);
            values[group.getAsyncToken()] = {};
            return success();
          })
      .Case<nvgpu::DeviceAsyncWaitOp>([&](nvgpu::DeviceAsyncWaitOp wait) {
        emit(&executeAsyncWait).imm = wait.getNumGroups().value_or(0);
        return success();
      })
      .Default([](auto) { return std::nullopt; });
}

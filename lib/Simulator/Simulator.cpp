//===- Simulator.cpp - The simulated device -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Simulator/Simulator.h"
#include "Compiler.h"
#include "FindingsEmitter.h"
#include "Machine.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::sim;

struct Simulator::Impl {
  Operation *module;
  SimulatorOptions options;
  GlobalMemory memory;
  llvm::DenseMap<Operation *, std::unique_ptr<Program>> programs;
  std::vector<Finding> findings;
  uint64_t epoch = 0;

  Impl(Operation *module, SimulatorOptions options)
      : module(module), options(options) {}

  /// The bytes at [address, address + bytes) and their range.
  sim::Range *find(uint64_t address, size_t bytes) const {
    sim::Range *range = memory.findBelow(address);
    return range && range->contains(address, bytes) ? range : nullptr;
  }
  gpu::GPUFuncOp lookup(SymbolRefAttr name, Location loc);
  const Program *compile(gpu::GPUFuncOp kernel);
  LogicalResult checkLaunch(const SimulatorLaunch &request,
                            const Program &program, Location loc);
  bool checkLimits(const SimulatorLaunch &request, const Program &program,
                   Location loc);
};

Simulator::Simulator(Operation *module, SimulatorOptions options)
    : impl(std::make_unique<Impl>(module, options)) {}
Simulator::~Simulator() = default;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

FailureOr<uint64_t> Simulator::allocate(size_t bytes) {
  sim::Range *range = impl->memory.allocate(bytes, "");
  if (!range)
    return failure();
  return range->getBase();
}

LogicalResult Simulator::free(uint64_t address) {
  return success(impl->memory.free(address));
}

LogicalResult Simulator::copyToDevice(uint64_t address,
                                      llvm::ArrayRef<std::byte> bytes) {
  sim::Range *range = impl->find(address, bytes.size());
  if (!range)
    return failure();
  size_t offset = address - range->getBase();
  if (!bytes.empty())
    std::memcpy(range->getData(offset), bytes.data(), bytes.size());
  range->setWritten(offset, bytes.size());
  return success();
}

LogicalResult Simulator::copyToHost(llvm::MutableArrayRef<std::byte> bytes,
                                    uint64_t address) {
  sim::Range *range = impl->find(address, bytes.size());
  if (!range)
    return failure();
  if (!bytes.empty())
    std::memcpy(bytes.data(), range->getData(address - range->getBase()),
                bytes.size());
  return success();
}

LogicalResult Simulator::fill(uint64_t address, uint8_t value, size_t bytes) {
  sim::Range *range = impl->find(address, bytes);
  if (!range)
    return failure();
  size_t offset = address - range->getBase();
  std::memset(range->getData(offset), value, bytes);
  range->setWritten(offset, bytes);
  return success();
}

size_t Simulator::countWritten(uint64_t address, size_t bytes) const {
  sim::Range *range = impl->find(address, bytes);
  if (!range)
    return 0;
  size_t offset = address - range->getBase(), end = offset + bytes, count = 0;
  while (offset < end) {
    size_t missing = range->findUnwritten(offset, end - offset);
    count += missing - offset;
    offset = missing + 1;
  }
  return count;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

gpu::GPUFuncOp Simulator::Impl::lookup(SymbolRefAttr name, Location loc) {
  gpu::GPUFuncOp found;
  unsigned count = 0;
  StringRef module = name.getRootReference();
  bool nested = !name.getNestedReferences().empty();
  StringRef leaf = name.getLeafReference();
  this->module->walk([&](gpu::GPUFuncOp func) {
    if (func.getName() != leaf)
      return;
    auto parent = func->getParentOfType<gpu::GPUModuleOp>();
    if (nested && (!parent || parent.getName() != module))
      return;
    found = func;
    ++count;
  });
  if (count == 1)
    return found;
  emitError(loc) << "expected one kernel " << name << ", but found " << count;
  return nullptr;
}

const Program *Simulator::Impl::compile(gpu::GPUFuncOp kernel) {
  auto [it, isNew] = programs.try_emplace(kernel, nullptr);
  if (!isNew && it->second)
    return it->second.get();
  auto program = std::make_unique<Program>();
  if (failed(Compiler(kernel, *program).compile()))
    return nullptr;
  return (it->second = std::move(program)).get();
}

static int64_t getCount(SimulatorExtents extents) {
  return extents.x * extents.y * extents.z;
}

static bool isPositive(SimulatorExtents extents) {
  // Each below 2^31, as on the device; so no product of two overflows.
  auto inRange = [](int64_t value) { return value > 0 && value < (1ll << 31); };
  return inRange(extents.x) && inRange(extents.y) && inRange(extents.z);
}

LogicalResult Simulator::Impl::checkLaunch(const SimulatorLaunch &request,
                                           const Program &program,
                                           Location loc) {
  if (!isPositive(request.grid) || !isPositive(request.block) ||
      !isPositive(request.cluster))
    return emitError(loc)
           << "expected positive grid, block and cluster extents";
  if (getCount(request.cluster) != 1)
    return emitError(loc) << "the simulator does not run clusters of "
                          << getCount(request.cluster) << " blocks";
  if (request.block.x > 1024 || request.block.y > 1024 ||
      request.block.z > 1024 || getCount(request.block) > 1024)
    return emitError(loc) << "expected at most 1024 threads in a block";
  constexpr int64_t mostBlocks = AccessRecord::kBlockMask;
  if (request.grid.y * request.grid.z > mostBlocks ||
      getCount(request.grid) > mostBlocks)
    return emitError(loc) << "expected at most " << mostBlocks
                          << " blocks, which is what the simulator can tell "
                             "apart";
  if (request.dynamicSharedBytes > kMaxSharedBytes)
    return emitError(loc) << "expected at most " << kMaxSharedBytes
                          << " bytes of dynamic shared memory, but got "
                          << request.dynamicSharedBytes;
  if (request.arguments.size() != program.argumentTypes.size())
    return emitError(loc) << "expected " << program.argumentTypes.size()
                          << " kernel arguments, but got "
                          << request.arguments.size();
  for (auto [i, type, argument] :
       llvm::enumerate(program.argumentTypes, request.arguments)) {
    auto memref = dyn_cast<MemRefType>(type);
    size_t dynamic = memref ? memref.getNumDynamicDims() : 0;
    if (argument.dynamicSizes.size() != dynamic)
      return emitError(loc)
             << "expected " << dynamic << " dynamic sizes of argument " << i
             << ", but got " << argument.dynamicSizes.size();
  }
  return success();
}

bool Simulator::Impl::checkLimits(const SimulatorLaunch &request,
                                  const Program &program, Location loc) {
  auto check = [&](int64_t got, int64_t most, StringRef what) {
    if (most <= 0 || got <= most)
      return true;
    Location kernel = program.locations.front();
    findings.push_back({FindingKind::LimitExceeded,
                        ("expected at most " + Twine(most) + " " + what +
                         ", but the launch has " + Twine(got))
                            .str(),
                        {kernel, {0, 0, 0}, {0, 0, 0}, "launch"},
                        std::nullopt});
    return false;
  };
  const SimulatorLimits &limits = options.limits;
  bool fits = check(getCount(request.block), limits.maxThreadsPerBlock,
                    "threads in a block");
  fits &= check(program.staticSharedBytes, limits.maxStaticSharedBytesPerBlock,
                "bytes of static shared memory");
  fits &= check(int64_t(program.staticSharedBytes) +
                    int64_t(request.dynamicSharedBytes),
                limits.maxSharedBytesPerBlock, "bytes of shared memory");
  return fits;
}

static uint64_t getLaunchValue(const LaunchValue &value,
                               const SimulatorLaunch &request,
                               const Program &program) {
  auto pick = [&](SimulatorExtents extents) -> uint64_t {
    return value.index == 0   ? extents.x
           : value.index == 1 ? extents.y
                              : extents.z;
  };
  auto size = [&](unsigned dim) -> uint64_t {
    auto type = cast<MemRefType>(program.argumentTypes[value.index]);
    if (!type.isDynamicDim(dim))
      return type.getDimSize(dim);
    return request.arguments[value.index]
        .dynamicSizes[type.getDynamicDimIndex(dim)];
  };
  switch (value.kind) {
  case LaunchValue::ArgumentBits:
    return request.arguments[value.index].bits;
  case LaunchValue::ArgumentSize:
    return size(value.dim);
  case LaunchValue::ArgumentStride: {
    auto type = cast<MemRefType>(program.argumentTypes[value.index]);
    uint64_t stride = 1;
    for (int64_t dim = type.getRank() - 1; dim > int64_t(value.dim); --dim)
      stride *= size(dim);
    return stride;
  }
  case LaunchValue::GridDim:
    return pick(request.grid);
  case LaunchValue::BlockDim:
    return pick(request.block);
  case LaunchValue::ClusterDim:
    return pick(request.cluster);
  case LaunchValue::WarpCount:
    return llvm::divideCeil(getCount(request.block), int64_t(kLanes));
  case LaunchValue::DynamicSharedAddress:
    return kSharedBase + program.sharedLayoutBytes;
  case LaunchValue::DynamicSharedBytes:
    return request.dynamicSharedBytes;
  }
  return 0;
}

LogicalResult Simulator::launch(const SimulatorLaunch &request, Location loc) {
  impl->findings.clear();
  gpu::GPUFuncOp kernel = impl->lookup(request.kernel, loc);
  if (!kernel)
    return failure();
  const Program *program = impl->compile(kernel);
  if (!program || failed(impl->checkLaunch(request, *program, loc)))
    return failure();
  if (!impl->checkLimits(request, *program, loc)) {
    emitFindings(impl->findings);
    return failure();
  }

  Launch launch(*program, impl->memory, impl->options);
  launch.grid = request.grid;
  launch.block = request.block;
  launch.cluster = request.cluster;
  launch.threads = getCount(request.block);
  launch.blocks = getCount(request.grid);
  launch.dynamicSharedBytes = request.dynamicSharedBytes;
  launch.sharedGranuleShift = llvm::Log2_32(program->sharedGranule);
  // Each block has an epoch of its own for its shared memory.
  launch.epoch = impl->epoch + 1;
  impl->epoch += uint64_t(launch.blocks) + 1;
  impl->memory.startEpoch(launch.epoch, [&](const sim::Range &range) {
    uint32_t granule = program->globalGranule;
    for (auto [argument, unit] :
         llvm::zip(request.arguments, program->argumentGranules))
      if (range.contains(argument.bits, 1))
        granule = std::min(granule, unit);
    return llvm::Log2_32(granule);
  });
  launch.image = program->image;
  for (const LaunchValue &value : program->launchValues) {
    uint64_t bits = getLaunchValue(value, request, *program);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      std::memcpy(&launch.image[value.reg + lane * value.bytes], &bits,
                  value.bytes);
  }
  launch.run();
  impl->findings = std::move(launch.findings);
  sortFindings(impl->findings);
  emitFindings(impl->findings);
  return success(impl->findings.empty());
}

llvm::ArrayRef<Finding> Simulator::getFindings() const {
  return impl->findings;
}

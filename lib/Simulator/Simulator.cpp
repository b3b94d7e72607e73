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
#include <limits>

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
  /// The latest launch, unless the host used the memory since it.
  PreviousLaunch previous;
  /// What the driver keeps for grid barriers: made for the first cooperative
  /// launch.
  sim::Range *workspace = nullptr;

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
  LogicalResult checkCluster(const SimulatorLaunch &request,
                             const Program &program, Location loc);
  uint32_t getResidentClusters(const SimulatorLaunch &request,
                               const Program &program) const;
  LogicalResult makeWorkspace(const SimulatorLaunch &request,
                              const Program &program, Location loc);
  void startEpoch(Launch &launch, const SimulatorLaunch &request);
  void reportLimit(const Program &program, const Twine &message);
  /// The extents of a block and of the grid, and those that the kernel states.
  bool checkExtents(const SimulatorLaunch &request, const Program &program);
  bool checkLimits(const SimulatorLaunch &request, const Program &program);
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
  // Frees wait for the launches.
  impl->previous = PreviousLaunch();
  return success(impl->memory.free(address));
}

LogicalResult Simulator::copyToDevice(uint64_t address,
                                      llvm::ArrayRef<std::byte> bytes) {
  sim::Range *range = impl->find(address, bytes.size());
  if (!range)
    return failure();
  impl->previous = PreviousLaunch();
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
  impl->previous = PreviousLaunch();
  if (!bytes.empty())
    std::memcpy(bytes.data(), range->getData(address - range->getBase()),
                bytes.size());
  return success();
}

LogicalResult Simulator::fill(uint64_t address, uint8_t value, size_t bytes) {
  sim::Range *range = impl->find(address, bytes);
  if (!range)
    return failure();
  impl->previous = PreviousLaunch();
  size_t offset = address - range->getBase();
  std::memset(range->getData(offset), value, bytes);
  range->setWritten(offset, bytes);
  return success();
}

LogicalResult Simulator::copy(uint64_t target, uint64_t source, size_t bytes) {
  sim::Range *to = impl->find(target, bytes), *from = impl->find(source, bytes);
  if (!to || !from)
    return failure();
  impl->previous = PreviousLaunch();
  to->copyFrom(target - to->getBase(), *from, source - from->getBase(), bytes);
  return success();
}

size_t Simulator::findUnwritten(uint64_t address, size_t bytes) const {
  sim::Range *range = impl->find(address, bytes);
  if (!range)
    return 0;
  size_t offset = address - range->getBase();
  return range->findUnwritten(offset, bytes) - offset;
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

/// "XxYxZ".
static std::string print(SimulatorExtents extents) {
  return (Twine(extents.x) + "x" + Twine(extents.y) + "x" + Twine(extents.z))
      .str();
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
  constexpr int64_t mostBlocks = std::numeric_limits<uint32_t>::max();
  if (request.grid.y * request.grid.z > mostBlocks ||
      getCount(request.grid) > mostBlocks)
    return emitError(loc) << "expected at most " << mostBlocks
                          << " blocks, which is what the simulator can count";
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

/// The largest cluster of any device.
static constexpr int64_t kMaxClusterBlocks = 16;

LogicalResult Simulator::Impl::checkCluster(const SimulatorLaunch &request,
                                            const Program &program,
                                            Location loc) {
  const SimulatorExtents &cluster = request.cluster, &grid = request.grid;
  if (!program.clusterDim.empty()) {
    SimulatorExtents stated{program.clusterDim[0], program.clusterDim[1],
                            program.clusterDim[2]};
    if (print(stated) != print(cluster))
      return emitError(loc)
             << "expected clusters of " << print(stated)
             << " blocks, as the kernel states, but got " << print(cluster);
  }
  if (cluster.x > kMaxClusterBlocks || cluster.y > kMaxClusterBlocks ||
      cluster.z > kMaxClusterBlocks || getCount(cluster) > kMaxClusterBlocks)
    return emitError(loc) << "expected clusters of at most "
                          << kMaxClusterBlocks << " blocks, but got "
                          << print(cluster);
  if (grid.x % cluster.x || grid.y % cluster.y || grid.z % cluster.z)
    return emitError(loc) << "expected a grid of whole clusters of "
                          << print(cluster) << " blocks, but got "
                          << print(grid);
  return success();
}

uint32_t Simulator::Impl::getResidentClusters(const SimulatorLaunch &request,
                                              const Program &program) const {
  int64_t blocks = getCount(request.cluster);
  if (options.limits.getResidentClusters)
    return options.limits.getResidentClusters(
        getCount(request.block),
        int64_t(program.staticSharedBytes) +
            int64_t(request.dynamicSharedBytes),
        blocks);
  // Without a limit there is no number.
  int64_t limit = options.limits.maxResidentBlocks;
  return limit > 0 ? std::max<int64_t>(limit / blocks, 1) : 0;
}

LogicalResult Simulator::Impl::makeWorkspace(const SimulatorLaunch &request,
                                             const Program &program,
                                             Location loc) {
  bool isUsed =
      llvm::any_of(program.launchValues, [](const LaunchValue &value) {
        return value.kind == LaunchValue::CooperativeWorkspace;
      });
  if (!isUsed)
    return success();
  if (request.mode != SimulatorLaunchMode::Cooperative)
    return emitError(loc) << "the kernel uses what the driver keeps for "
                             "cooperative launches, but the launch is not "
                             "cooperative";
  if (workspace)
    return success();
  // Its own size, and the barrier, which is 0 at first.
  const uint32_t contents[2] = {sizeof(contents), 0};
  workspace = memory.allocate(sizeof(contents), "workspace of grid barriers");
  if (!workspace)
    return emitError(loc) << "out of memory";
  std::memcpy(workspace->getData(0), contents, sizeof(contents));
  workspace->setWritten(0, sizeof(contents));
  return success();
}

void Simulator::Impl::reportLimit(const Program &program,
                                  const Twine &message) {
  Location kernel = program.locations.front();
  findings.push_back({FindingKind::LimitExceeded,
                      message.str(),
                      {kernel, {0, 0, 0}, {0, 0, 0}, "launch"},
                      std::nullopt});
}

bool Simulator::Impl::checkExtents(const SimulatorLaunch &request,
                                   const Program &program) {
  size_t before = findings.size();
  auto check = [&](StringRef what, SimulatorExtents got,
                   SimulatorExtents most) {
    if (got.x > most.x || got.y > most.y || got.z > most.z)
      reportLimit(program, "expected a " + what + " of at most " + print(most) +
                               ", but the launch has " + print(got));
  };
  check("block", request.block, options.limits.maxBlock);
  check("grid", request.grid, options.limits.maxGrid);
  const std::optional<SimulatorExtents> &stated = program.blockDim;
  if (stated && print(*stated) != print(request.block))
    reportLimit(program, "expected a block of " + print(*stated) +
                             ", as the kernel states, but the launch has " +
                             print(request.block));
  return findings.size() == before;
}

bool Simulator::Impl::checkLimits(const SimulatorLaunch &request,
                                  const Program &program) {
  auto check = [&](int64_t got, int64_t most, StringRef what) {
    if (most > 0 && got > most)
      reportLimit(program, "expected at most " + Twine(most) + " " + what +
                               ", but the launch has " + Twine(got));
    return most <= 0 || got <= most;
  };
  const SimulatorLimits &limits = options.limits;
  bool fits = checkExtents(request, program);
  int64_t mostThreads = AccessRecord::kMaxThreads;
  if (limits.maxThreadsPerBlock > 0)
    mostThreads = std::min(mostThreads, limits.maxThreadsPerBlock);
  fits &= check(getCount(request.block), mostThreads, "threads in a block");
  fits &= check(getCount(request.block), program.maxThreads,
                "threads in a block, as the kernel states");
  fits &= check(program.staticSharedBytes, limits.maxStaticSharedBytesPerBlock,
                "bytes of static shared memory");
  fits &= check(int64_t(program.staticSharedBytes) +
                    int64_t(request.dynamicSharedBytes),
                limits.maxSharedBytesPerBlock, "bytes of shared memory");
  int64_t blocks = getCount(request.cluster);
  fits &= check(blocks, limits.maxClusterBlocks, "blocks in a cluster");
  if (int64_t resident = getResidentClusters(request, program) * blocks;
      resident && request.mode == SimulatorLaunchMode::Cooperative)
    fits &= check(getCount(request.grid), resident,
                  "blocks in a cooperative launch, which must all be resident "
                  "at once");
  return fits;
}

static uint64_t getLaunchValue(const LaunchValue &value,
                               const SimulatorLaunch &request,
                               const Program &program,
                               const sim::Range *workspace) {
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
  case LaunchValue::ClusterGridDim:
    return pick({request.grid.x / request.cluster.x,
                 request.grid.y / request.cluster.y,
                 request.grid.z / request.cluster.z});
  case LaunchValue::ClusterBlocks:
    return getCount(request.cluster);
  case LaunchValue::CooperativeWorkspace:
    return workspace->getBase() >> (32 * value.index);
  case LaunchValue::WarpCount:
    return llvm::divideCeil(getCount(request.block), int64_t(kLanes));
  case LaunchValue::DynamicSharedAddress:
    return kSharedBase + program.sharedLayoutBytes;
  case LaunchValue::DynamicSharedBytes:
    return request.dynamicSharedBytes;
  }
  return 0;
}

void Simulator::Impl::startEpoch(Launch &launch,
                                 const SimulatorLaunch &request) {
  // A dependent launch sees what the one before did as long as that may run.
  if (request.mode == SimulatorLaunchMode::Dependent && previous.program) {
    launch.previous = previous;
    memory.keepPrevious();
  } else {
    memory.dropPrevious();
  }
  previous = {&launch.program, launch.grid, launch.block};
  // Each block has an epoch of its own for its shared memory.
  launch.epoch = epoch + 1;
  epoch += uint64_t(launch.blocks) + 1;
  memory.startEpoch(launch.epoch, [&](const sim::Range &range) {
    uint32_t granule = launch.program.globalGranule;
    for (auto [argument, unit] :
         llvm::zip(request.arguments, launch.program.argumentGranules))
      if (range.contains(argument.bits, 1))
        granule = std::min(granule, unit);
    return llvm::Log2_32(granule);
  });
}

LogicalResult Simulator::launch(const SimulatorLaunch &original, Location loc) {
  impl->findings.clear();
  gpu::GPUFuncOp kernel = impl->lookup(original.kernel, loc);
  if (!kernel)
    return failure();
  const Program *program = impl->compile(kernel);
  if (!program)
    return failure();
  SimulatorLaunch request = original;
  if (getCount(request.cluster) == 1 && !program->clusterDim.empty())
    request.cluster = {program->clusterDim[0], program->clusterDim[1],
                       program->clusterDim[2]};
  if (failed(impl->checkLaunch(request, *program, loc)) ||
      failed(impl->checkCluster(request, *program, loc)) ||
      failed(impl->makeWorkspace(request, *program, loc)))
    return failure();
  if (!impl->checkLimits(request, *program)) {
    emitFindings(impl->findings);
    return failure();
  }

  Launch launch(*program, impl->memory, impl->options);
  launch.grid = request.grid;
  launch.block = request.block;
  launch.cluster = request.cluster;
  launch.threads = getCount(request.block);
  launch.blocks = getCount(request.grid);
  launch.clusterBlocks = getCount(request.cluster);
  launch.residentClusters = impl->getResidentClusters(request, *program);
  launch.dynamicSharedBytes = request.dynamicSharedBytes;
  launch.sharedGranuleShift = llvm::Log2_32(program->sharedGranule);
  impl->startEpoch(launch, request);
  launch.image = program->image;
  for (const LaunchValue &value : program->launchValues) {
    uint64_t bits = getLaunchValue(value, request, *program, impl->workspace);
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

//===- fusion-sim-test.cpp - Launches kernels on the simulator ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test tool. It launches each kernel of a file that has a `sim.block`
// attribute, in order, on one simulated device:
//
//   gpu.func @k(%in: memref<64xf32>, %out: memref<64xf32>) kernel attributes {
//     sim.grid = [2, 1, 1], sim.block = [32, 1, 1], sim.cluster = [2, 1, 1],
//     sim.mode = "cooperative", sim.shared = 0,
//     sim.args = ["iota", "uninit"], sim.print = [1]}
//
// A memref argument is "uninit", "iota" (0, 1, 2, ...), "iota:N" (modulo N),
// "const:V" or "same:I" (the memory of argument I); dynamic extents follow as
// "[M,N]". A pointer is "alloc:BYTES" or "zeroed:BYTES", a scalar a number.
// "last:I" is the memory of argument I of the kernel before. `sim.print` names
// the arguments to print afterwards. A `sim.mode` is "plain", "cooperative" or
// "dependent".
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Simulator/Simulator.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/ToolUtilities.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::fusion;
namespace cl = llvm::cl;

namespace {
struct Options {
  cl::opt<std::string> input{cl::Positional, cl::desc("<file>"), cl::init("-")};
  cl::opt<bool> verify{"verify-diagnostics",
                       cl::desc("Check diagnostics against the comments")};
  cl::opt<bool> split{
      "split-input-file",
      cl::desc("Run the parts of the file one after the other")};
  cl::opt<unsigned> threads{
      "host-threads", cl::desc("Host threads; 0: all cores"), cl::init(0)};
  cl::opt<int64_t> maxThreads{"max-threads", cl::init(1024),
                              cl::desc("Threads a block may have")};
  cl::opt<int64_t> maxShared{"max-shared-bytes", cl::init(232448),
                             cl::desc("Bytes of shared memory of a block")};
  cl::opt<int64_t> maxStatic{
      "max-static-shared-bytes", cl::init(49152),
      cl::desc("Bytes of static shared memory of a block")};
  cl::opt<int64_t> maxResident{"max-resident-blocks", cl::init(0),
                               cl::desc("Blocks that run at once; 0: all")};
  cl::opt<int64_t> maxCluster{"max-cluster-blocks", cl::init(8),
                              cl::desc("Blocks of a cluster")};
  cl::opt<uint64_t> maxIterations{"max-loop-iterations", cl::init(1 << 20),
                                  cl::desc("Iterations until a loop hangs")};
  cl::opt<uint64_t> maxIdle{"max-idle-turns", cl::init(1 << 20),
                            cl::desc("Turns until polling hangs")};
};

/// An argument's memory on the device.
struct Buffer {
  uint64_t address = 0;
  size_t elements = 0;
};
} // namespace

static unsigned getBytes(Type type) {
  return type.isIndex() ? 8 : (type.getIntOrFloatBitWidth() + 7) / 8;
}

static uint64_t toBits(Type type, double value) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    llvm::APFloat number(value);
    bool lost;
    number.convert(floatType.getFloatSemantics(),
                   llvm::APFloat::rmNearestTiesToEven, &lost);
    return number.bitcastToAPInt().getZExtValue();
  }
  return static_cast<uint64_t>(static_cast<int64_t>(value));
}

static void print(llvm::raw_ostream &os, Type type, uint64_t bits) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    llvm::APFloat number(floatType.getFloatSemantics(),
                         llvm::APInt(floatType.getWidth(), bits));
    llvm::SmallString<32> text;
    number.toString(text, /*FormatPrecision=*/0, /*FormatMaxPadding=*/6);
    os << text;
    return;
  }
  unsigned width = 8 * getBytes(type);
  os << llvm::APInt(width, bits).getSExtValue();
}

/// Allocates and fills one memref argument by its specification.
static LogicalResult makeBuffer(Simulator &device, MemRefType type,
                                StringRef spec, SimulatorArgument &argument,
                                llvm::MutableArrayRef<Buffer> buffers,
                                llvm::ArrayRef<Buffer> last, size_t index) {
  auto [kind, sizes] = spec.split('[');
  llvm::SmallVector<StringRef> extents;
  sizes.rtrim(']').split(extents, ',', -1, /*KeepEmpty=*/false);
  for (StringRef extent : extents)
    if (extent.trim().getAsInteger(10, argument.dynamicSizes.emplace_back()))
      return failure();
  int64_t count = 1;
  auto dynamic = argument.dynamicSizes.begin();
  for (int64_t size : type.getShape()) {
    if (ShapedType::isDynamic(size) && dynamic == argument.dynamicSizes.end())
      return failure();
    count *= ShapedType::isDynamic(size) ? *dynamic++ : size;
  }
  auto [name, parameter] = kind.split(':');
  double value = 0;
  if (!parameter.empty() && parameter.getAsDouble(value))
    return failure();
  Buffer &buffer = buffers[index];
  if (name == "same") {
    buffer = buffers[static_cast<size_t>(value)];
  } else if (name == "last" && value < last.size()) {
    buffer = last[static_cast<size_t>(value)];
  } else {
    unsigned bytes = getBytes(type.getElementType());
    FailureOr<uint64_t> address = device.allocate(count * bytes);
    if (failed(address))
      return failure();
    buffer = {*address, size_t(count)};
    std::vector<std::byte> data(count * bytes);
    for (int64_t i = 0; i < count; ++i) {
      double element = name == "const"     ? value
                       : parameter.empty() ? double(i)
                                           : double(i % int64_t(value));
      uint64_t bits = toBits(type.getElementType(), element);
      std::memcpy(&data[i * bytes], &bits, bytes);
    }
    if (name == "iota" || name == "const") {
      if (failed(device.copyToDevice(*address, data)))
        return failure();
    } else if (name != "uninit") {
      return failure();
    }
  }
  argument.bits = buffer.address;
  return success();
}

static SimulatorExtents getDim3(Operation *op, StringRef name) {
  SimulatorExtents result;
  auto array = op->getAttrOfType<ArrayAttr>(name);
  int64_t *slots[] = {&result.x, &result.y, &result.z};
  if (array)
    for (auto [slot, value] : llvm::zip(slots, array))
      *slot = cast<IntegerAttr>(value).getInt();
  return result;
}

static LogicalResult launchKernel(Simulator &device, gpu::GPUFuncOp kernel,
                                  llvm::SmallVectorImpl<Buffer> &last,
                                  llvm::raw_ostream &os) {
  auto specs = kernel->getAttrOfType<ArrayAttr>("sim.args");
  auto types = kernel.getFunctionType().getInputs();
  if (!specs || specs.size() != types.size())
    return kernel.emitError("expected one string in sim.args per argument");
  llvm::SmallVector<SimulatorArgument> arguments(types.size());
  llvm::SmallVector<Buffer> buffers(types.size());
  for (auto [i, type] : llvm::enumerate(types)) {
    StringRef spec = cast<StringAttr>(specs[i]).getValue();
    double value;
    if (auto memref = dyn_cast<MemRefType>(type)) {
      if (failed(
              makeBuffer(device, memref, spec, arguments[i], buffers, last, i)))
        return kernel.emitError("cannot make argument ") << i << " of " << spec;
    } else if (spec.consume_front("alloc:") || spec.consume_front("zeroed:")) {
      // A pointer to that many bytes.
      bool zeroed = cast<StringAttr>(specs[i]).getValue().starts_with("zeroed");
      size_t bytes;
      if (spec.getAsInteger(10, bytes))
        return kernel.emitError("expected a number of bytes for argument ")
               << i;
      FailureOr<uint64_t> address = device.allocate(bytes);
      if (failed(address) ||
          (zeroed && failed(device.fill(*address, 0, bytes))))
        return failure();
      arguments[i].bits = *address;
    } else if (!spec.getAsDouble(value)) {
      arguments[i].bits = toBits(type, value);
    } else {
      return kernel.emitError("expected a number for argument ") << i;
    }
  }
  SimulatorLaunch launch;
  launch.kernel = SymbolRefAttr::get(
      kernel->getParentOfType<gpu::GPUModuleOp>().getNameAttr(),
      {FlatSymbolRefAttr::get(kernel.getNameAttr())});
  launch.grid = getDim3(kernel, "sim.grid");
  launch.block = getDim3(kernel, "sim.block");
  launch.cluster = getDim3(kernel, "sim.cluster");
  if (auto mode = kernel->getAttrOfType<StringAttr>("sim.mode"))
    launch.mode = llvm::StringSwitch<SimulatorLaunchMode>(mode)
                      .Case("cooperative", SimulatorLaunchMode::Cooperative)
                      .Case("dependent", SimulatorLaunchMode::Dependent)
                      .Default(SimulatorLaunchMode::Plain);
  if (auto shared = kernel->getAttrOfType<IntegerAttr>("sim.shared"))
    launch.dynamicSharedBytes = shared.getInt();
  launch.arguments = arguments;
  bool passed = succeeded(device.launch(launch, kernel.getLoc()));
  last = buffers;
  os << kernel.getName() << ": " << (passed ? "passed" : "failed") << "\n";
  if (!passed)
    return failure();
  auto printed = kernel->getAttrOfType<ArrayAttr>("sim.print");
  for (Attribute attribute :
       printed ? printed.getValue() : ArrayRef<Attribute>()) {
    size_t i = cast<IntegerAttr>(attribute).getInt();
    Type element = cast<MemRefType>(types[i]).getElementType();
    unsigned bytes = getBytes(element);
    std::vector<std::byte> data(buffers[i].elements * bytes);
    if (failed(device.copyToHost(data, buffers[i].address)))
      return failure();
    os << "arg" << i << ":";
    for (size_t e = 0; e < buffers[i].elements; ++e) {
      uint64_t bits = 0;
      std::memcpy(&bits, &data[e * bytes], bytes);
      os << " ";
      print(os, element, bits);
    }
    os << "\n";
  }
  return success();
}

static LogicalResult runBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer,
                               const Options &options, MLIRContext &context,
                               llvm::raw_ostream &os) {
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  auto run = [&]() -> LogicalResult {
    OwningOpRef<ModuleOp> module =
        parseSourceFile<ModuleOp>(*sources, ParserConfig(&context));
    if (!module)
      return failure();
    SimulatorOptions settings;
    settings.hostThreads = options.threads;
    settings.limits.maxThreadsPerBlock = options.maxThreads;
    settings.limits.maxSharedBytesPerBlock = options.maxShared;
    settings.limits.maxStaticSharedBytesPerBlock = options.maxStatic;
    settings.limits.maxResidentBlocks = options.maxResident;
    settings.limits.maxClusterBlocks = options.maxCluster;
    settings.maxLoopIterations = options.maxIterations;
    settings.maxIdleTurns = options.maxIdle;
    Simulator device(*module, settings);
    bool passed = true;
    llvm::SmallVector<Buffer> last;
    module->walk([&](gpu::GPUFuncOp kernel) {
      if (kernel->hasAttr("sim.block"))
        passed &= succeeded(launchKernel(device, kernel, last, os));
    });
    return success(passed);
  };
  if (!options.verify) {
    SourceMgrDiagnosticHandler handler(*sources, &context);
    return run();
  }
  context.printOpOnDiagnostic(false);
  SourceMgrDiagnosticVerifierHandler handler(*sources, &context);
  (void)run();
  return handler.verify();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  cl::ParseCommandLineOptions(argc, argv, "launch kernels on the simulator\n");
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  std::string error;
  auto file = openInputFile(options.input, &error);
  if (!file) {
    llvm::errs() << error << "\n";
    return 2;
  }
  LogicalResult result = splitAndProcessBuffer(
      std::move(file),
      [&](std::unique_ptr<llvm::MemoryBuffer> chunk, llvm::raw_ostream &os) {
        return runBuffer(std::move(chunk), options, context, os);
      },
      llvm::outs(), options.split ? kDefaultSplitMarker : "");
  return failed(result);
}

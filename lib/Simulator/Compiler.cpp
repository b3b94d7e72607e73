//===- Compiler.cpp - Registers and the walk over a kernel ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include <cstring>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::sim;

/// More registers than any kernel has: 2 MiB for each thread would spill
/// hopelessly on a device.
static constexpr uint64_t kMaxRegisterBytes = uint64_t(1) << 26;

static std::optional<ScalarKind> getScalarKind(Type type) {
  if (type.isIndex() || isa<LLVM::LLVMPointerType>(type))
    return ScalarKind::I64;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    switch (integer.getWidth()) {
    case 1:
      return ScalarKind::I1;
    case 8:
      return ScalarKind::I8;
    case 16:
      return ScalarKind::I16;
    case 32:
      return ScalarKind::I32;
    case 64:
      return ScalarKind::I64;
    default:
      return std::nullopt;
    }
  }
  if (type.isF32())
    return ScalarKind::F32;
  if (type.isF64())
    return ScalarKind::F64;
  if (type.isF16())
    return ScalarKind::F16;
  if (type.isBF16())
    return ScalarKind::BF16;
  if (isa<Float8E4M3FNType>(type))
    return ScalarKind::F8E4M3FN;
  if (isa<Float8E5M2Type>(type))
    return ScalarKind::F8E5M2;
  return std::nullopt;
}

std::optional<RegisterShape> fusion::sim::getRegisterShape(Type type) {
  uint32_t n = 1;
  if (auto vector = dyn_cast<VectorType>(type)) {
    // Registers are addressed with 32 bits; no kernel comes near this size.
    if (vector.isScalable() || vector.getNumElements() > (1 << 16))
      return std::nullopt;
    n = vector.getNumElements();
    type = vector.getElementType();
  }
  std::optional<ScalarKind> kind = getScalarKind(type);
  if (!kind)
    return std::nullopt;
  return RegisterShape{*kind, n};
}

std::optional<llvm::SmallVector<RegisterShape, 1>>
fusion::sim::getComponents(Type type) {
  llvm::SmallVector<RegisterShape, 1> shapes;
  if (isa<nvgpu::DeviceAsyncTokenType>(type))
    return shapes;
  if (auto memref = dyn_cast<MemRefType>(type)) {
    llvm::SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(memref.getStridesAndOffset(strides, offset)) ||
        !getRegisterShape(memref.getElementType()))
      return std::nullopt;
    unsigned dynamic = memref.getNumDynamicDims() +
                       llvm::count_if(strides, ShapedType::isDynamic);
    shapes.assign(1 + dynamic, RegisterShape());
    return shapes;
  }
  // A structure, such as the result of llvm.cmpxchg, is its elements.
  llvm::SmallVector<Type> types{type};
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type))
    types.assign(structure.getBody().begin(), structure.getBody().end());
  for (Type element : types) {
    std::optional<RegisterShape> shape = getRegisterShape(element);
    if (!shape)
      return std::nullopt;
    shapes.push_back(*shape);
  }
  return shapes;
}

Compiler::Compiler(gpu::GPUFuncOp kernel, Program &program)
    : kernelStorage(std::make_unique<gpu::GPUFuncOp>(kernel)),
      program(program) {}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

uint32_t Compiler::allocateForEver(uint32_t bytes) {
  // Too many are refused once all are known.
  uint32_t reg = static_cast<uint32_t>(program.registerBytes);
  program.registerBytes += (bytes + 63) / 64 * 64;
  return reg;
}

uint32_t Compiler::allocate(uint32_t bytes) {
  bytes = (bytes + 63) / 64 * 64;
  auto &free = freeRegisters[bytes];
  uint32_t reg;
  if (!free.empty()) {
    reg = free.pop_back_val();
  } else {
    reg = allocateForEver(bytes);
  }
  registers[reg] = {bytes, 1};
  return reg;
}

void Compiler::retain(uint32_t reg) {
  auto it = registers.find(reg);
  if (it != registers.end())
    ++it->second.second;
}

void Compiler::release(uint32_t reg) {
  auto it = registers.find(reg);
  if (it == registers.end() || --it->second.second)
    return;
  freeRegisters[it->second.first].push_back(reg);
  registers.erase(it);
}

llvm::ArrayRef<uint32_t> Compiler::use(Value value) const {
  auto it = values.find(value);
  assert(it != values.end() && "operands are compiled before their users");
  return it->second;
}

void Compiler::planRelease(Value value) {
  mlir::Block *block = value.getParentBlock();
  Operation *last = value.getDefiningOp();
  for (Operation *user : value.getUsers()) {
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    // Used in another block of a control flow graph: it stays.
    if (!ancestor)
      return;
    if (!last || last->isBeforeInBlock(ancestor))
      last = ancestor;
  }
  if (last)
    deadAfter[last].push_back(value);
}

llvm::ArrayRef<uint32_t> Compiler::define(Value value) {
  auto components = getComponents(value.getType());
  if (!components)
    return {};
  llvm::SmallVector<uint32_t, 1> regs;
  for (RegisterShape shape : *components)
    regs.push_back(allocate(shape));
  planRelease(value);
  return values[value] = regs;
}

void Compiler::bind(Value value, llvm::ArrayRef<uint32_t> regs) {
  llvm::SmallVector<uint32_t, 1> copy(regs);
  for (uint32_t reg : copy)
    retain(reg);
  planRelease(value);
  values[value] = copy;
}

void Compiler::releaseDead(Operation *op) {
  auto it = deadAfter.find(op);
  if (it == deadAfter.end())
    return;
  for (Value value : it->second)
    for (uint32_t reg : values.lookup(value))
      release(reg);
  deadAfter.erase(it);
}

uint32_t Compiler::addLaunchValue(LaunchValue value) {
  value.reg = allocateForEver(value.bytes * kLanes);
  program.launchValues.push_back(value);
  return value.reg;
}

uint32_t Compiler::getConstant(RegisterShape shape,
                               llvm::ArrayRef<uint64_t> elements) {
  auto [it, isNew] =
      constants.try_emplace({{shape.kind, shape.n}, elements.vec()}, 0);
  if (isNew) {
    it->second = allocateForEver(shape.getRowBytes() * shape.n);
    patches.push_back({it->second, shape, elements.vec()});
  }
  return it->second;
}

uint32_t Compiler::getRegister(Operand operand) {
  return operand.isConstant() ? getIndexConstant(operand.constant)
                              : operand.reg;
}

Operand Compiler::getOperand(Value value) {
  llvm::APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return {kNoRegister, constant.getSExtValue()};
  return {useOne(value), 0};
}

Operand Compiler::getOperand(OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return {kNoRegister, cast<IntegerAttr>(attribute).getInt()};
  return getOperand(cast<Value>(value));
}

Operand Compiler::multiply(Operand a, Operand b) {
  if (a.isConstant() && b.isConstant())
    return {kNoRegister, int64_t(uint64_t(a.constant) * uint64_t(b.constant))};
  if (a.isConstant() && a.constant == 1)
    return b;
  if (b.isConstant() && b.constant == 1)
    return a;
  Operand result{allocate(RegisterShape())};
  emit(getBinaryHandler(BinaryOp::MulI, ScalarKind::I64), result.reg,
       getRegister(a), getRegister(b));
  return result;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Instr &Compiler::emit(Handler handler) {
  Instr instr;
  instr.handler = handler;
  instr.op = currentOp;
  program.code.push_back(instr);
  return program.code.back();
}

Instr &Compiler::emit(Handler handler, uint32_t dst, uint32_t a, uint32_t b,
                      uint32_t c, uint32_t n, int64_t imm, uint32_t aux) {
  Instr &instr = emit(handler);
  instr.dst = dst;
  instr.a = a;
  instr.b = b;
  instr.c = c;
  instr.n = n;
  instr.imm = imm;
  instr.aux = aux;
  return instr;
}

uint32_t Compiler::emitLabel() {
  emit(&executeJoin);
  return program.code.size() - 1;
}

void Compiler::emitCopy(RegisterShape shape, uint32_t dst, uint32_t src) {
  if (dst != src)
    emit(getCopyHandler(shape.getElementBytes()), dst, src, kNoRegister,
         kNoRegister, shape.n);
}

LogicalResult Compiler::emitCopies(TypeRange types,
                                   llvm::ArrayRef<uint32_t> dst,
                                   llvm::ArrayRef<uint32_t> src) {
  llvm::SmallVector<RegisterShape> shapes;
  for (Type type : types)
    llvm::append_range(shapes, *getComponents(type));
  llvm::SmallVector<uint32_t> from(src), temporaries;
  // A source that an earlier copy overwrites is saved first.
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] == dst[i] || !llvm::is_contained(dst.take_front(i), from[i]))
      continue;
    temporaries.push_back(allocate(shapes[i]));
    emitCopy(shapes[i], temporaries.back(), from[i]);
    from[i] = temporaries.back();
  }
  for (size_t i = 0; i < from.size(); ++i)
    emitCopy(shapes[i], dst[i], from[i]);
  releaseAll(temporaries);
  return success();
}

llvm::SmallVector<uint32_t> Compiler::useAll(ValueRange range) const {
  llvm::SmallVector<uint32_t> regs;
  for (Value value : range)
    llvm::append_range(regs, use(value));
  return regs;
}

FailureOr<llvm::SmallVector<uint32_t>> Compiler::allocateAll(Operation *op,
                                                             TypeRange types) {
  llvm::SmallVector<uint32_t> regs;
  for (Type type : types) {
    auto components = getComponents(type);
    if (!components)
      return op->emitError("the simulator does not execute values of type ")
             << type;
    for (RegisterShape shape : *components)
      regs.push_back(allocate(shape));
  }
  return regs;
}

void Compiler::bindAll(ValueRange range, llvm::ArrayRef<uint32_t> regs) {
  for (Value value : range) {
    size_t count = getComponents(value.getType())->size();
    bind(value, regs.take_front(count));
    regs = regs.drop_front(count);
  }
}

void Compiler::releaseAll(llvm::ArrayRef<uint32_t> regs) {
  for (uint32_t reg : regs)
    release(reg);
}

LogicalResult Compiler::refuse(Operation *op) {
  return op->emitError("the simulator does not execute '")
         << op->getName() << "' of this form";
}

LogicalResult Compiler::compileOp(Operation *op) {
  currentOp = program.locations.size();
  program.locations.push_back(op->getLoc());
  for (Type type : op->getResultTypes())
    if (!getComponents(type))
      return op->emitError("the simulator does not execute values of type ")
             << type;
  for (auto compileDialect :
       {&Compiler::compileControl, &Compiler::compileArith,
        &Compiler::compileVector, &Compiler::compileMemory,
        &Compiler::compileView, &Compiler::compileGpu, &Compiler::compileLlvm,
        &Compiler::compileNvvm})
    if (Result result = (this->*compileDialect)(op)) {
      // The parent of these still needs their operands.
      if (succeeded(*result) && !isa<scf::YieldOp, scf::ConditionOp>(op))
        releaseDead(op);
      return *result;
    }
  return op->emitError("the simulator does not execute '")
         << op->getName() << "'";
}

LogicalResult Compiler::compileBlock(mlir::Block &block) {
  for (Operation &op : block)
    if (failed(compileOp(&op)))
      return failure();
  return success();
}

/// True for memory that is stated to be a block's shared memory.
static bool isShared(BaseMemRefType type) {
  Attribute space = type.getMemorySpace();
  if (auto gpuSpace = dyn_cast_or_null<gpu::AddressSpaceAttr>(space))
    return gpuSpace.getValue() == gpu::AddressSpace::Workgroup;
  auto number = dyn_cast_or_null<IntegerAttr>(space);
  return number && number.getInt() == 3;
}

/// Up to three extents; those that are not given are 1.
static SimulatorExtents getExtents(DenseI32ArrayAttr attribute) {
  ArrayRef<int32_t> values = attribute;
  SimulatorExtents extents;
  int64_t *slots[] = {&extents.x, &extents.y, &extents.z};
  for (auto [slot, value] : llvm::zip(slots, values))
    *slot = value;
  return extents;
}

LogicalResult Compiler::compile() {
  gpu::GPUFuncOp kernel = getKernel();
  program.name = kernel.getName().str();
  if (auto dim = kernel->getAttrOfType<DenseI32ArrayAttr>(
          NVVM::NVVMDialect::getClusterDimAttrName());
      dim && dim.size() <= 3) {
    program.clusterDim.assign(3, 1);
    llvm::copy(dim.asArrayRef(), program.clusterDim.begin());
  }
  if (auto stated = kernel->getAttrOfType<DenseI32ArrayAttr>(
          NVVM::NVVMDialect::getReqntidAttrName()))
    program.blockDim = getExtents(stated);
  else if (auto known = kernel.getKnownBlockSizeAttr())
    program.blockDim = getExtents(known);
  if (auto most = kernel->getAttrOfType<DenseI32ArrayAttr>(
          NVVM::NVVMDialect::getMaxntidAttrName())) {
    SimulatorExtents extents = getExtents(most);
    program.maxThreads = extents.x * extents.y * extents.z;
  }
  program.locations.push_back(kernel.getLoc());
  kernel.walk([&](memref::MemorySpaceCastOp cast) {
    castsShared |= isShared(cast.getSource().getType());
  });
  if (failed(compileArguments()) || failed(compileCfg(kernel.getBody())))
    return failure();
  if (program.registerBytes > kMaxRegisterBytes)
    return kernel.emitError("expected values of at most ")
           << kMaxRegisterBytes << " bytes in a warp, but got "
           << program.registerBytes;
  if (program.sharedLayoutBytes > kMaxSharedBytes)
    return kernel.emitError("expected at most ")
           << kMaxSharedBytes << " bytes of shared memory, but got "
           << program.staticSharedBytes;
  for (auto [index, instr] : llvm::enumerate(program.code))
    if (instr.handler == &executeBlockBarrier ||
        instr.handler == &executeNamedBarrier)
      program.barriers.push_back(index);
  program.image.assign(program.registerBytes, std::byte(0));
  for (const Patch &patch : patches) {
    uint32_t bytes = patch.shape.getElementBytes();
    for (uint32_t i = 0; i < patch.shape.n * kLanes; ++i) {
      size_t element = patch.elements.size() == 1 ? 0 : i / kLanes;
      std::memcpy(&program.image[patch.reg + i * bytes],
                  &patch.elements[element], bytes);
    }
  }
  return success();
}

//===- Compiler.h - From gpu.func to the simulator's code -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns a kernel into a Program in one walk. Structured control flow becomes
// branches laid out so that lanes meet again at the lowest program counter. A
// register is reused after the last use of its value. A memref becomes a
// pointer (offset included) and its dynamic extents and strides.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_SIMULATOR_COMPILER_H
#define FUSION_LIB_SIMULATOR_COMPILER_H

#include "Operations.h"
#include "Program.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <optional>

namespace mlir::gpu {
class GPUFuncOp;
} // namespace mlir::gpu

namespace mlir::LLVM {
enum class AtomicOrdering : uint64_t;
} // namespace mlir::LLVM

namespace mlir::fusion::sim {

/// A value's element type and number of elements per lane.
struct RegisterShape {
  ScalarKind kind = ScalarKind::I64;
  uint32_t n = 1;
  uint32_t getElementBytes() const { return getScalarBytes(kind); }
  /// Bytes of one element for all lanes.
  uint32_t getRowBytes() const { return getElementBytes() * kLanes; }
};

/// The shape of a scalar, vector, or pointer; none for other types.
std::optional<RegisterShape> getRegisterShape(Type type);

/// The registers a value of `type` needs; none if it cannot be executed.
std::optional<llvm::SmallVector<RegisterShape, 1>> getComponents(Type type);

/// A memref as the compiler sees it.
struct MemRefParts {
  uint32_t pointer;
  llvm::SmallVector<Operand, 4> sizes, strides;
};

/// Compiles one kernel.
class Compiler {
public:
  Compiler(gpu::GPUFuncOp kernel, Program &program);
  /// Fails with an error at the operation that cannot be executed.
  LogicalResult compile();

private:
  //===--- Registers (Compiler.cpp) ---------------------------------------===//
  uint32_t allocate(uint32_t bytes);
  /// A register of its own, for constants and launch values, which are there
  /// from the start: no value may have used it before.
  uint32_t allocateForEver(uint32_t bytes);
  void retain(uint32_t reg);
  void release(uint32_t reg);
  uint32_t allocate(RegisterShape shape) {
    return allocate(shape.getRowBytes() * shape.n);
  }
  /// The registers of a value's components, one for a scalar or vector.
  llvm::ArrayRef<uint32_t> use(Value value) const;
  uint32_t useOne(Value value) const { return use(value).front(); }
  /// Gives `value` new registers; empty if its type cannot be executed.
  llvm::ArrayRef<uint32_t> define(Value value);
  /// Makes `value` share registers.
  void bind(Value value, llvm::ArrayRef<uint32_t> regs);
  void planRelease(Value value);
  void releaseDead(Operation *op);
  uint32_t addLaunchValue(LaunchValue value);
  /// A register that holds `elements` (bit patterns) in each lane.
  uint32_t getConstant(RegisterShape shape, llvm::ArrayRef<uint64_t> elements);
  uint32_t getIndexConstant(int64_t value) {
    return getConstant({ScalarKind::I64, 1}, uint64_t(value));
  }
  uint32_t getRegister(Operand operand);
  /// What `value` (of index or an integer type) is.
  Operand getOperand(Value value);
  Operand getOperand(OpFoldResult value);
  Operand multiply(Operand a, Operand b);

  //===--- Code -----------------------------------------------------------===//
  Instr &emit(Handler handler);
  Instr &emit(Handler handler, uint32_t dst, uint32_t a,
              uint32_t b = kNoRegister, uint32_t c = kNoRegister,
              uint32_t n = 1, int64_t imm = 0, uint32_t aux = 0);
  uint32_t emitLabel();
  /// dst[i] = src[i], all at once.
  LogicalResult emitCopies(TypeRange types, llvm::ArrayRef<uint32_t> dst,
                           llvm::ArrayRef<uint32_t> src);
  void emitCopy(RegisterShape shape, uint32_t dst, uint32_t src);
  llvm::SmallVector<uint32_t> useAll(ValueRange values) const;
  /// Registers for block arguments of these types; empty and an error if some
  /// type cannot be executed.
  FailureOr<llvm::SmallVector<uint32_t>> allocateAll(Operation *op,
                                                     TypeRange types);
  void bindAll(ValueRange values, llvm::ArrayRef<uint32_t> regs);
  void releaseAll(llvm::ArrayRef<uint32_t> regs);
  LogicalResult compileBlock(mlir::Block &block);
  LogicalResult compileOp(Operation *op);
  LogicalResult refuse(Operation *op);

  //===--- By dialect: none if the operation is not one of theirs
  //----------===//
  using Result = std::optional<LogicalResult>;
  Result compileControl(Operation *op);
  LogicalResult compileFor(Operation *op);
  LogicalResult compileIf(Operation *op);
  LogicalResult compileWhile(Operation *op);
  LogicalResult compileCfg(Region &region);
  LogicalResult emitEdge(Operation *op, mlir::Block *target,
                         ValueRange operands);

  Result compileArith(Operation *op);
  LogicalResult compileConstant(Operation *op, Attribute value);
  LogicalResult compileElementwise(Operation *op, Handler handler,
                                   int64_t imm = 0);

  Result compileVector(Operation *op);
  LogicalResult compileBroadcast(Operation *op);
  LogicalResult compileExtract(Operation *op);
  LogicalResult compileInsert(Operation *op);
  LogicalResult compileStridedSlice(Operation *op);
  LogicalResult compileShuffleVector(Operation *op);
  LogicalResult compileTranspose(Operation *op);
  LogicalResult compileReduction(Operation *op);
  LogicalResult compileMask(Operation *op);
  /// result = rows `source[i].second` of values `source[i].first`.
  LogicalResult
  emitPermutation(Value result,
                  llvm::ArrayRef<std::pair<uint32_t, uint32_t>> sources);

  Result compileMemory(Operation *op);
  Result compileView(Operation *op);
  MemRefParts getParts(Value memref) const;
  /// Defines `result` as a memref with these parts.
  void bindMemRef(Value result, const MemRefParts &parts);
  /// The pointer moved by `terms` elements of `elementBytes` bytes.
  uint32_t emitAddress(uint32_t base, llvm::ArrayRef<MemoryAccess::Term> terms,
                       uint32_t elementBytes);
  /// A memory access to `count` elements at memref[indices]; its index.
  FailureOr<uint32_t> addAccess(Operation *op, Value memref, ValueRange indices,
                                uint32_t count,
                                std::optional<uint64_t> alignment);
  uint32_t addAccess(MemoryAccess access, Value memref);
  /// Notes that the memory of `memref` is accessed in units of `unit` bytes.
  void noteGranule(Value memref, uint32_t unit);
  LogicalResult compileLoad(Operation *op, Value result, Value memref,
                            ValueRange indices,
                            std::optional<uint64_t> alignment,
                            Value mask = nullptr, Value passThrough = nullptr);
  LogicalResult compileStore(Operation *op, Value stored, Value memref,
                             ValueRange indices,
                             std::optional<uint64_t> alignment,
                             Value mask = nullptr);
  LogicalResult compileTransfer(Operation *op);
  /// A new register with `n` copies of a scalar of `bytes` bytes.
  uint32_t emitSpread(uint32_t scalar, uint32_t bytes, uint32_t n);
  /// A new mask of n elements: index + i < extent, and `mask` if there is one.
  uint32_t emitInside(Operand index, Operand extent, uint32_t mask, uint32_t n);
  LogicalResult compileReinterpretCast(Operation *op);
  LogicalResult compileSubView(Operation *op);
  LogicalResult compileReshape(Operation *op);
  LogicalResult compileByteView(Operation *op);
  LogicalResult compilePointer(Operation *op);
  LogicalResult compileAtomicRmw(Operation *op);
  /// True if LLVM 22 selects one PTX instruction for an atomic that combines
  /// elements by `combine`, or exchanges them. That instruction is relaxed,
  /// whatever order the operation asks for; others become a loop around
  /// atom.cas, which has the order. (Seen for sm_70 to sm_100; bf16 is added in
  /// one instruction from sm_90 on.)
  static bool isOneInstruction(std::optional<BinaryOp> combine,
                               ScalarKind kind);
  LogicalResult compileGetGlobal(Operation *op);
  /// A new static shared buffer; a register with its address.
  uint32_t addSharedBuffer(llvm::StringRef name, uint64_t bytes,
                           uint64_t alignment);

  Result compileLlvm(Operation *op);
  uint32_t addPointerAccess(Value pointer, RegisterShape shape,
                            std::optional<uint64_t> alignment);
  /// A register with `index` as a 64-bit integer; the caller releases it.
  uint32_t extendIndex(Value index);
  LogicalResult compileGep(Operation *op);
  LogicalResult compileLlvmLoad(Operation *op);
  LogicalResult compileLlvmStore(Operation *op);
  LogicalResult compileLlvmAtomic(Operation *op);
  void emitFenceBefore(LLVM::AtomicOrdering ordering);

  Result compileGpu(Operation *op);
  Result compileNvvm(Operation *op);
  LogicalResult compileCpAsync(Operation *op);
  Result compileCluster(Operation *op);
  Result compileMbarrier(Operation *op);
  /// An operation on the mbarrier at `address`.
  Instr &emitMbarrier(Handler handler, Value address, uint32_t dst,
                      uint32_t b = kNoRegister, uint32_t c = kNoRegister,
                      int64_t flags = 0);
  LogicalResult compileArrive(Operation *op, Value address, Value count,
                              Value bytes, int64_t flags);
  LogicalResult compileTest(Operation *op, Value address, Value phase,
                            bool relaxed);
  LogicalResult compileBulkCopy(Operation *op);
  LogicalResult compileInlinePtx(Operation *op);
  LogicalResult compileShuffle(Operation *op);
  LogicalResult compileSubgroupReduce(Operation *op);
  LogicalResult compileAsyncCopy(Operation *op);
  LogicalResult compileArguments();

  gpu::GPUFuncOp &getKernel() { return *kernelStorage; }

  std::unique_ptr<gpu::GPUFuncOp> kernelStorage;
  Program &program;
  uint32_t currentOp = 0;
  /// Shared memory may be accessed as memory without a stated space.
  bool castsShared = false;
  llvm::DenseMap<Value, llvm::SmallVector<uint32_t, 1>> values;
  llvm::DenseMap<Operation *, llvm::SmallVector<Value, 2>> deadAfter;
  /// Free registers by size, and the size and use count of those in use.
  std::map<uint32_t, llvm::SmallVector<uint32_t, 4>> freeRegisters;
  llvm::DenseMap<uint32_t, std::pair<uint32_t, uint32_t>> registers;
  std::map<std::pair<std::pair<ScalarKind, uint32_t>, std::vector<uint64_t>>,
           uint32_t>
      constants;
  struct Patch {
    uint32_t reg;
    RegisterShape shape;
    std::vector<uint64_t> elements;
  };
  std::vector<Patch> patches;
  llvm::DenseMap<Operation *, uint32_t> sharedGlobals;
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<uint32_t>> blockArguments;
  /// Branches to blocks whose place is not known yet: the instruction, and
  /// whether its second target is meant.
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<uint32_t>> pendingJumps;
  llvm::DenseMap<mlir::Block *, uint32_t> blockLabels;
};

} // namespace mlir::fusion::sim

#endif // FUSION_LIB_SIMULATOR_COMPILER_H

//===- Finish.cpp - From partial results to totals ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A team of W warps works on a chunk of 32 columns, one a lane. Warp w adds the
// partial results w, w + W, w + 2 W, ...; then the first warp adds the W sums,
// computes what stands after the columns, and stores it.
//
// Teams are the blocks of a kernel of their own, or parts of the blocks of the
// main kernel after a barrier of the whole grid. Either way the same values are
// added in the same order.
//
//===----------------------------------------------------------------------===//

#include "Finish.h"
#include "../TileEvaluator.h"
#include "FusionDialect/IR/Combine.h"
#include "InnerOuter.h"
#include "KernelArguments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::innerouter;

static constexpr unsigned lanes = 32;
/// Values that a thread may wait for at a time: a quarter of its registers.
static constexpr unsigned maxLoadsInFlight = 64;

namespace {

/// Emits the work of a team on a chunk.
class Finish {
public:
  Finish(TileBuilder &kernel, const RowColumnGraph &graph,
         InnerOuterScheduleAttr schedule, const KernelArguments &arguments)
      : kernel(kernel), graph(graph), schedule(schedule), arguments(arguments),
        evaluator(kernel.builder, graph, /*width=*/1) {}

  /// Sets the place of this thread: `thread` of its block, whose teams have
  /// `finish_threads` threads each, and by column reduction the memory for the
  /// sums of the block's warps: [warp, lane].
  void setPlace(Value thread, unsigned numTeams, ArrayRef<Value> sums);
  /// The team of this thread in its block; index.
  Value getTeam() const { return team; }
  void emitChunk(Value chunk);

private:
  SmallVector<Value> emitPartials(unsigned number, Value column);
  void emitPartialSums(Value column);
  void emitOutputs(Value column);
  Value evaluate(Value value, Value column);
  unsigned getWarps() const { return schedule.getFinishThreads() / lanes; }

  TileBuilder &kernel;
  const RowColumnGraph &graph;
  InnerOuterScheduleAttr schedule;
  const KernelArguments &arguments;
  TileEvaluator evaluator;
  SmallVector<Value> sums;
  Value lane, warp, warpOfBlock, team, firstWarp;
};

} // namespace

void Finish::setPlace(Value thread, unsigned numTeams, ArrayRef<Value> memory) {
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  sums.assign(memory.begin(), memory.end());
  Value size = kernel.index(lanes), warps = kernel.index(getWarps());
  lane = arith::RemUIOp::create(builder, loc, thread, size);
  warpOfBlock = arith::DivUIOp::create(builder, loc, thread, size);
  warp = warpOfBlock;
  team = firstWarp = kernel.index(0);
  if (numTeams > 1) {
    team = arith::DivUIOp::create(builder, loc, warpOfBlock, warps);
    warp = arith::RemUIOp::create(builder, loc, warpOfBlock, warps);
    firstWarp = kernel.mul(team, getWarps());
  }
}

/// The partial results of reduction `number` that this thread's warp adds up
/// for `column`; what is beyond the last one is neutral.
SmallVector<Value> Finish::emitPartials(unsigned number, Value column) {
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  const auto &reduction = graph.getColumnReductions()[number];
  int64_t partials = schedule.getClusters();
  Value neutral = kernel.constant(
      getNeutralElement(reduction.kind, reduction.accumulatorType));
  SmallVector<Value> loaded;
  for (int64_t first = 0; first < partials; first += getWarps()) {
    Value partial = first ? kernel.add(warp, kernel.index(first)) : warp;
    bool isRagged = first + getWarps() > partials;
    Value safe = isRagged ? kernel.minimum(partial, partials - 1) : partial;
    Value value = memref::LoadOp::create(
        builder, loc, arguments.getPartial(number), ValueRange{safe, column});
    if (isRagged)
      value = kernel.select(kernel.isLess(partial, kernel.index(partials)),
                            value, neutral);
    loaded.push_back(value);
  }
  return loaded;
}

/// Stores what this thread's warp adds up for `column`. Loads come before the
/// first addition, so that they are in flight together: those of all reductions
/// where registers suffice for them, else those of one.
void Finish::emitPartialSums(Value column) {
  unsigned numReductions = graph.getColumnReductions().size();
  uint64_t loads = numReductions * llvm::divideCeil(schedule.getClusters(),
                                                    uint64_t(getWarps()));
  unsigned together = loads <= maxLoadsInFlight ? numReductions : 1;
  for (unsigned first = 0; first < numReductions; first += together) {
    SmallVector<SmallVector<Value>> loaded;
    for (unsigned i = 0; i < together; ++i)
      loaded.push_back(emitPartials(first + i, column));
    for (auto [i, values] : llvm::enumerate(loaded)) {
      const auto &reduction = graph.getColumnReductions()[first + i];
      Value sum = values.front();
      for (Value value : ArrayRef(values).drop_front())
        sum = createCombine(kernel.builder, kernel.loc, reduction.kind, sum,
                            value, reduction.fastmath);
      memref::StoreOp::create(kernel.builder, kernel.loc, sum, sums[first + i],
                              ValueRange{warpOfBlock, lane});
    }
  }
}

Value Finish::evaluate(Value value, Value column) {
  return evaluator.evaluate(
      value, 0, 0, [&](Value leaf, unsigned, unsigned) -> Value {
        if (leaf.getDefiningOp<IotaOp>())
          return TileBuilder(kernel.builder, kernel.loc, /*width=*/1)
              .getPositions(column, /*stride=*/0,
                            getElementTypeOrSelf(leaf.getType()));
        Value argument = arguments.getInput(leaf);
        if (!isa<MemRefType>(argument.getType()))
          return argument;
        if (graph.getSpace(leaf) == Space::Scalar)
          return memref::LoadOp::create(kernel.builder, kernel.loc, argument);
        return memref::LoadOp::create(kernel.builder, kernel.loc, argument,
                                      column);
      });
}

/// Runs in the first warp of a team, for columns that exist: adds the sums of
/// the warps, and stores every output that the rows could not.
void Finish::emitOutputs(Value column) {
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  TileEvaluator::Memo outer = evaluator.getMemo();
  for (auto [number, reduction] :
       llvm::enumerate(graph.getColumnReductions())) {
    Value total;
    for (unsigned i = 0; i < getWarps(); ++i) {
      Value row = kernel.add(firstWarp, kernel.index(i));
      Value sum = memref::LoadOp::create(builder, loc, sums[number],
                                         ValueRange{row, lane});
      total = total ? createCombine(builder, loc, reduction.kind, total, sum,
                                    reduction.fastmath)
                    : sum;
    }
    Type element = getElementTypeOrSelf(reduction.result.getType());
    evaluator.bind(reduction.result, 0, 0, kernel.convert(total, element));
  }
  Value isFirstColumn;
  for (auto [output, buffer] : arguments.getOutputs()) {
    if (hasRows(graph.getSpace(output)))
      continue;
    Value value = evaluate(output, column);
    if (graph.getSpace(output) == Space::Column) {
      memref::StoreOp::create(builder, loc, value, buffer, column);
      continue;
    }
    if (!isFirstColumn)
      isFirstColumn = kernel.isLess(column, kernel.index(1));
    kernel.emitIf(isFirstColumn, [&, buffer = buffer] {
      memref::StoreOp::create(builder, loc, value, buffer);
    });
  }
  evaluator.setMemo(std::move(outer));
}

void Finish::emitChunk(Value chunk) {
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  Value column = kernel.add(kernel.mul(chunk, lanes), lane);
  Value safeColumn = kernel.minimum(column, graph.getColumns() - 1);
  emitPartialSums(safeColumn);
  gpu::BarrierOp::create(builder, loc);
  Value isFirstWarp = kernel.isLess(warp, kernel.index(1));
  Value exists = kernel.isLess(column, kernel.index(graph.getColumns()));
  kernel.emitIf(kernel.both(isFirstWarp, exists), [&] { emitOutputs(column); });
}

//===----------------------------------------------------------------------===//
// In a kernel of its own
//===----------------------------------------------------------------------===//

/// Adds the leaves behind `value` that are not reductions.
static void addLeaves(const RowColumnGraph &graph, Value value,
                      DenseSet<Value> &visited,
                      llvm::SetVector<Value> &leaves) {
  if (!visited.insert(value).second)
    return;
  for (const auto &reduction : graph.getColumnReductions())
    if (reduction.result == value)
      return;
  Operation *op = value.getDefiningOp();
  if (!op || !graph.getCandidate().operations.contains(op)) {
    leaves.insert(value);
    return;
  }
  for (Value operand : op->getOperands())
    addLeaves(graph, operand, visited, leaves);
}

llvm::SetVector<Value>
innerouter::getFinishInputs(const RowColumnGraph &graph) {
  llvm::SetVector<Value> leaves;
  DenseSet<Value> visited;
  for (Value output : graph.getCandidate().outputs)
    if (!hasRows(graph.getSpace(output)))
      addLeaves(graph, output, visited, leaves);
  return leaves;
}

void innerouter::emitFinishKernel(SegmentLowering &lowering,
                                  const InnerOuterMatch &match,
                                  InnerOuterScheduleAttr schedule,
                                  ValueRange partials, Location loc) {
  const RowColumnGraph &graph = match.graph;
  KernelArguments arguments(lowering, graph);
  for (Value leaf : getFinishInputs(graph))
    arguments.addInput(leaf);
  for (auto [number, output] : llvm::enumerate(graph.getCandidate().outputs))
    if (!hasRows(graph.getSpace(output)))
      arguments.addOutput(number);
  bool isDependent = schedule.getFinish() == FinishMode::Dependent;
  arguments.addPartials(partials, isDependent ? KernelAccess::Exchange
                                              : KernelAccess::Read);
  unsigned threads = schedule.getFinishThreads();
  gpu::GPUFuncOp kernel = arguments.createKernel("finish", threads);

  TileBuilder builder(OpBuilder::atBlockTerminator(&kernel.getBody().front()),
                      loc,
                      /*width=*/1);
  // The partial results are there when the main kernel has ended.
  if (isDependent)
    NVVM::GriddepcontrolOp::create(builder.builder, loc,
                                   NVVM::GridDepActionKind::wait);
  Value thread =
      gpu::ThreadIdOp::create(builder.builder, loc, gpu::Dimension::x);
  Value block = gpu::BlockIdOp::create(builder.builder, loc, gpu::Dimension::x);
  auto space = gpu::AddressSpaceAttr::get(kernel.getContext(),
                                          gpu::AddressSpace::Workgroup);
  SmallVector<Value> sums;
  for (const auto &reduction : graph.getColumnReductions()) {
    auto type =
        MemRefType::get({threads / lanes, lanes}, reduction.accumulatorType,
                        MemRefLayoutAttrInterface(), space);
    sums.push_back(kernel.addWorkgroupAttribution(type, loc));
  }
  Finish finish(builder, graph, schedule, arguments);
  finish.setPlace(thread, /*numTeams=*/1, sums);
  finish.emitChunk(block);
  LaunchSize size;
  size.blocks = schedule.getFinishBlocks();
  size.threads = threads;
  size.mode = isDependent ? LaunchMode::Dependent : LaunchMode::Plain;
  arguments.launch(size);
}

//===----------------------------------------------------------------------===//
// In the main kernel
//===----------------------------------------------------------------------===//

/// The address of the barrier word of a cooperative launch. The driver gives
/// each such launch a workspace { u32 size; u32 barrier; } and its address in
/// two registers; the low 31 bits of the word are 0 between launches.
static Value getGridBarrier(KernelContext &kernel) {
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  Value high = arith::ExtUIOp::create(
      builder, loc, i64, NVVM::EnvReg1Op::create(builder, loc, i32));
  Value low = arith::ExtUIOp::create(
      builder, loc, i64, NVVM::EnvReg2Op::create(builder, loc, i32));
  Value address = arith::OrIOp::create(
      builder, loc, arith::ShLIOp::create(builder, loc, high, constant(32)),
      low);
  address = kernel.add(address, constant(4));
  return LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), address);
}

/// All blocks of the grid meet. Each adds 1 to the barrier word, the first
/// 2^31 - (blocks - 1): the top bit changes when all have come, and the others
/// are 0 again.
static void emitGridBarrier(KernelContext &kernel, Value block) {
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  unsigned blocks = kernel.schedule.getBlocks();
  gpu::BarrierOp::create(builder, loc);
  Value isFirst = kernel.isLess(kernel.place.thread, kernel.index(1));
  kernel.emitIf(isFirst, [&] {
    constexpr unsigned topBit = 1u << 31;
    constexpr unsigned wordBytes = 4;
    Value word = getGridBarrier(kernel);
    Value count = kernel.select(kernel.isLess(block, kernel.index(1)),
                                kernel.i32(int32_t(topBit - (blocks - 1))),
                                kernel.i32(1));
    // LLVM 22 selects a relaxed atom.add for an acq_rel addition, so a fence of
    // its own releases what this block wrote.
    LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::acq_rel,
                          "device");
    Value old = LLVM::AtomicRMWOp::create(
        builder, loc, LLVM::AtomicBinOp::add, word, count,
        LLVM::AtomicOrdering::monotonic, "device");
    auto loop = scf::WhileOp::create(builder, loc, TypeRange(), ValueRange());
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&loop.getBefore());
    Value now = LLVM::LoadOp::create(
        builder, loc, builder.getI32Type(), word, wordBytes,
        /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/false,
        /*isInvariantGroup=*/false, LLVM::AtomicOrdering::acquire, "device");
    Value changed = arith::XOrIOp::create(builder, loc, old, now);
    // The sign bit tells.
    Value waits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                        changed, kernel.i32(0));
    scf::ConditionOp::create(builder, loc, waits, ValueRange());
    builder.createBlock(&loop.getAfter());
    scf::YieldOp::create(builder, loc);
  });
  gpu::BarrierOp::create(builder, loc);
}

void innerouter::emitGridFinish(KernelContext &kernel) {
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  InnerOuterScheduleAttr schedule = kernel.schedule;
  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  emitGridBarrier(kernel, block);

  unsigned teams = schedule.getThreads() / schedule.getFinishThreads();
  SmallVector<Value> sums;
  uint64_t offset = 0;
  for (const auto &reduction : kernel.graph.getColumnReductions()) {
    sums.push_back(kernel.view(offset, {schedule.getThreads() / lanes, lanes},
                               reduction.accumulatorType));
    offset += uint64_t(schedule.getThreads()) *
              reduction.accumulatorType.getIntOrFloatBitWidth() / 8;
  }
  Finish finish(kernel, kernel.graph, schedule, kernel.arguments);
  finish.setPlace(kernel.place.thread, teams, sums);
  Value first = kernel.add(kernel.mul(block, teams), finish.getTeam());
  int64_t perRound = int64_t(schedule.getBlocks()) * teams;
  int64_t rounds = llvm::divideCeil(uint64_t(schedule.getFinishBlocks()),
                                    uint64_t(perRound));
  if (rounds == 1)
    return finish.emitChunk(first);
  auto loop = scf::ForOp::create(builder, loc, kernel.index(0),
                                 kernel.index(rounds), kernel.index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  finish.emitChunk(
      kernel.add(first, kernel.mul(loop.getInductionVar(), perRound)));
  // The sums are read before the next round overwrites them.
  gpu::BarrierOp::create(builder, loc);
}

//===- PartialSums.cpp - Totals from the partial results of blocks --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PartialSums.h"
#include "KernelBuffers.h"
#include "ReductionProgram.h"
#include "TileBuilder.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

/// Loads in flight at once; as many hide the latency of the second-level cache.
static constexpr int64_t loadsInFlight = 8;

LaunchMode fusion::addFinishBuffers(KernelBuffers &buffers,
                                    const ReductionProgram &program,
                                    ValueRange partials, FinishMode finish) {
  for (Value input : program.finalInputs)
    buffers.addInput(input);
  for (unsigned output : program.finalOutputs)
    buffers.addOutput(output);
  // A dependent kernel starts while they are still written.
  bool isDependent = finish == FinishMode::Dependent;
  for (Value partial : partials)
    buffers.addWorkspace(partial, isDependent ? KernelAccess::Exchange
                                              : KernelAccess::Read);
  return isDependent ? LaunchMode::Dependent : LaunchMode::Plain;
}

namespace {

struct PartialWalk {
  TileBuilder &tiles;
  const ReductionProgram &program;
  int64_t stride, count;
  llvm::function_ref<Value(unsigned, Value)> load;

  /// Adds the partial results first, first + stride, ... of one step to `sums`.
  SmallVector<Value> addStep(Value first, ValueRange sums) const;
};

} // namespace

SmallVector<Value> PartialWalk::addStep(Value first, ValueRange sums) const {
  bool isRagged = count % (loadsInFlight * stride) != 0;
  SmallVector<Value> places, exist;
  for (int64_t i = 0; i < loadsInFlight; ++i) {
    Value place = i ? tiles.add(first, tiles.index(i * stride)) : first;
    exist.push_back(isRagged ? tiles.isLess(place, tiles.index(count))
                             : Value());
    places.push_back(isRagged ? tiles.minimum(place, count - 1) : place);
  }
  SmallVector<Value> result;
  for (auto [number, total, sum] : llvm::enumerate(program.totals, sums)) {
    SmallVector<Value> loaded;
    for (Value place : places)
      loaded.push_back(load(number, place));
    Value next = sum;
    for (auto [value, exists] : llvm::zip(loaded, exist)) {
      Value added = total.combine(tiles.builder, tiles.loc, next, value);
      next = exists ? tiles.select(exists, added, next) : added;
    }
    result.push_back(next);
  }
  return result;
}

SmallVector<Value>
mlir::fusion::emitPartialSums(TileBuilder &tiles,
                              const ReductionProgram &program, Value first,
                              int64_t stride, int64_t count,
                              llvm::function_ref<Value(unsigned, Value)> load) {
  OpBuilder &builder = tiles.builder;
  SmallVector<Value> sums;
  for (const Total &total : program.totals)
    sums.push_back(total.createNeutral(builder, tiles.loc));
  PartialWalk walk{tiles, program, stride, count, load};
  int64_t step = loadsInFlight * stride;
  if (count <= step)
    return walk.addStep(first, sums);
  auto loop = scf::ForOp::create(builder, tiles.loc, first, tiles.index(count),
                                 tiles.index(step), sums);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(
      builder, tiles.loc,
      walk.addStep(loop.getInductionVar(), loop.getRegionIterArgs()));
  return SmallVector<Value>(loop.getResults());
}

//===- RowLoader.h - How rows reach the threads -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brings the row-column inputs of a tile to the threads: from memory to
// registers, or through a ring of stages in shared memory that copies fill
// while earlier tiles are worked on.
//
// The kernel calls, in this order:
//
//     emitSetUp, emitFirstCopies, [all threads of the block meet]
//     for each tile: emitWait, load (any number), emitThreadDone,
//                    [all threads of the group meet], emitGroupDone
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_INNEROUTER_ROWLOADER_H
#define LIB_SCHEDULERS_INNEROUTER_ROWLOADER_H

#include "KernelContext.h"

namespace mlir::fusion::innerouter {

class RowLoader {
public:
  /// The loader that the schedule names.
  static std::unique_ptr<RowLoader> create(KernelContext &kernel);
  explicit RowLoader(KernelContext &kernel) : kernel(kernel) {}
  virtual ~RowLoader();

  /// Prepares barriers, if there are any: other threads may use them after the
  /// next barrier of the block.
  virtual void emitSetUp() {}
  /// Starts the copies of the first tiles.
  virtual void emitFirstCopies() {}
  /// Waits until this thread can load from tile `iteration`.
  virtual void emitWait(Value iteration) {}
  /// Loads vector `tile` of `row` of the group from row-column input `input`.
  virtual Value load(unsigned input, unsigned row, unsigned tile) = 0;
  /// This thread has loaded all that it needs of tile `iteration`.
  virtual void emitThreadDone(Value iteration) {}
  /// True if emitGroupDone does anything.
  virtual bool needsGroupDone() const { return false; }
  /// All threads of the group have loaded all that they need.
  virtual void emitGroupDone(Value iteration) {}

  /// What the loop over tiles carries from one to the next.
  virtual SmallVector<Value> getInitialState() { return {}; }
  virtual void setState(ValueRange state) {}
  virtual SmallVector<Value> getNextState() { return {}; }

protected:
  KernelContext &kernel;
};

} // namespace mlir::fusion::innerouter

#endif // LIB_SCHEDULERS_INNEROUTER_ROWLOADER_H

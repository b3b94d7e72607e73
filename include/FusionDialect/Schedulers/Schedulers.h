//===- Schedulers.h - The schedulers that come with the compiler -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_SCHEDULERS_SCHEDULERS_H
#define FUSIONDIALECT_SCHEDULERS_SCHEDULERS_H

#include <memory>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::fusion {
class Scheduler;

/// Row and column reductions of one tensor in one pass: blocks stay on their
/// multiprocessors, keep rows on chip between levels and column partials in
/// registers. Its schedule is #fusion.inner_outer.
std::unique_ptr<Scheduler> createInnerOuterScheduler();

/// Kernels over rows that do not depend on one another, one block a row or
/// some. Rows whose elements are needed again when their total is known, as in
/// softmax and normalisations. Its schedule is #fusion.rows.
std::unique_ptr<Scheduler> createInnerPersistentScheduler();

/// Rows of which only totals are needed, with element-wise work before and
/// after. Its schedule is #fusion.rows.
std::unique_ptr<Scheduler> createInnerReductionScheduler();

/// Element-wise programs, broadcasts and any other moves of elements, without
/// reductions: a thread loads a few points, computes, stores and ends. Its
/// schedule is #fusion.pointwise.
std::unique_ptr<Scheduler> createPointwiseScheduler();

/// The same, where results are contiguous along one loop and inputs along
/// another: squares of those turn in shared memory. Its schedule is
/// #fusion.transpose.
std::unique_ptr<Scheduler> createTransposeScheduler();

/// Reductions that keep the innermost loop, such as column sums: blocks share
/// the rows of a strip of columns, and a second kernel adds what they have.
/// Its schedule is #fusion.outer_reduction.
std::unique_ptr<Scheduler> createOuterReductionScheduler();

/// Reductions of everything, or of rows so few or long that several blocks
/// share one; a second kernel adds what they have. Its schedule is
/// #fusion.split_reduction.
std::unique_ptr<Scheduler> createFullReductionScheduler();

/// Reductions that keep the innermost loop, and work on the same elements with
/// their totals: a block has all rows of some columns. Its schedule is
/// #fusion.outer_persistent.
std::unique_ptr<Scheduler> createOuterPersistentScheduler();

/// Adds all of them to the SchedulerRegistry of each context that loads the
/// dialect.
void registerBuiltinSchedulers(DialectRegistry &registry);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_SCHEDULERS_SCHEDULERS_H

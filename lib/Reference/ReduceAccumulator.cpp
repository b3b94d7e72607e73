//===- ReduceAccumulator.cpp - One reduction of a sweep -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReduceAccumulator.h"
#include "FusionDialect/IR/Combine.h"
#include "Kernels.h"
#include "ScalarSemantics.h"
#include "mlir/IR/BuiltinAttributes.h"
#include <limits>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

/// The map from the operand's elements to the results: stride 0 along reduced
/// dimensions.
static StridedWalk getResultWalk(const Node &node) {
  ArrayRef<int64_t> shape = node.operands.front()->shape;
  SmallVector<int64_t> kept = getRowMajorStrides(node.shape);
  SmallVector<int64_t> strides;
  size_t next = 0;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    strides.push_back(
        llvm::is_contained(node.reducedDims, static_cast<int64_t>(dim))
            ? 0
            : kept[next++]);
  return StridedWalk(shape, strides, /*offset=*/0);
}

ReduceAccumulator::ReduceAccumulator(Node &node,
                                     const ReferenceOptions &options)
    : node(node), options(options), walk(getResultWalk(node)),
      withErrors(options.errors && !node.exact),
      copies(walk.getOuterStride() == 0), alignment(1), numCombined(1) {
  int64_t elements = node.operands.front()->numElements;
  if (!copies && elements != 0)
    alignment = elements / walk.getOuterExtent();
  for (int64_t dim : node.reducedDims)
    numCombined *= node.operands.front()->shape[dim];
}

bool ReduceAccumulator::isSequential() const {
  return copies && options.precision == Precision::Type && node.isFloat();
}

static double toDouble(TypedAttr attribute) {
  APFloat value = cast<FloatAttr>(attribute).getValue();
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

void ReduceAccumulator::initialise(State &state) const {
  auto count = static_cast<size_t>(node.numElements);
  TypedAttr neutral =
      getNeutralElement(node.reductionKind, node.accumulatorType);
  if (node.isFloat()) {
    state.floats.reset(new double[count]);
    std::fill_n(state.floats.get(), count, toDouble(neutral));
  } else {
    unsigned width = node.elementType.getIntOrFloatBitWidth();
    state.integers.reset(new int64_t[count]);
    std::fill_n(
        state.integers.get(), count,
        wrap(cast<IntegerAttr>(neutral).getValue().getZExtValue(), width));
  }
  if (isCompensated())
    state.corrections = std::make_unique<double[]>(count);
  if (!withErrors)
    return;
  state.errors = std::make_unique<double[]>(count);
  bool isProduct = node.reductionKind == ReductionKind::Mul;
  if (!node.isFloat() ||
      (node.reductionKind != ReductionKind::Add && !isProduct))
    return;
  state.magnitudes = std::make_unique<double[]>(count);
  state.samples = std::make_unique<double[]>(count);
  state.repeats = std::make_unique<double[]>(count);
  if (isProduct)
    state.shrinkages = std::make_unique<double[]>(count);
}

void ReduceAccumulator::start(unsigned numChunks) {
  states.resize(copies ? numChunks : 1);
  if (!copies)
    initialise(states.front());
}

void ReduceAccumulator::accumulate(unsigned chunk, int64_t first, int64_t count,
                                   const TileOperand &elements) {
  State &state = states[copies ? chunk : 0];
  if (state.isEmpty())
    initialise(state);
  if (node.isFloat())
    accumulateFloats(state, first, count, elements);
  else
    accumulateIntegers(state, first, count, elements);
}

//===----------------------------------------------------------------------===//
// Combining
//===----------------------------------------------------------------------===//

/// Combines a run of elements into one result (stride 0) or into consecutive
/// results (stride 1).
template <typename T, typename U, typename Combine>
static inline void combineRun(T *results, int64_t stride, const U *elements,
                              int64_t length, Combine combine) {
  if (stride == 0) {
    T result = *results;
    for (int64_t i = 0; i < length; ++i)
      result = combine(result, elements[i]);
    *results = result;
    return;
  }
  for (int64_t i = 0; i < length; ++i)
    results[i * stride] = combine(results[i * stride], elements[i]);
}

/// Calls `use` with the function that combines two floats of `type`.
template <typename Use>
static void withFloatCombine(ReductionKind kind, bool roundToF32, Use use) {
  auto single = [](double x) {
    return static_cast<double>(static_cast<float>(x));
  };
  switch (kind) {
  case ReductionKind::Add:
    if (roundToF32)
      return use([=](double a, double b) { return single(a + b); });
    return use([](double a, double b) { return a + b; });
  case ReductionKind::Mul:
    if (roundToF32)
      return use([=](double a, double b) { return single(a * b); });
    return use([](double a, double b) { return a * b; });
  case ReductionKind::MinimumF:
    return use(minimumF);
  case ReductionKind::MaximumF:
    return use(maximumF);
  case ReductionKind::MinNumF:
    return use(minNumF);
  case ReductionKind::MaxNumF:
    return use(maxNumF);
  default:
    llvm_unreachable("not a float kind");
  }
}

/// The errors of a product follow (a + da)(b + db) = ab + a db + b da + da db;
/// they are updated before the product itself.
static void combineProductErrors(double *products, double *errors,
                                 int64_t stride, const double *elements,
                                 const double *elementErrors, int64_t length,
                                 double factor) {
  double product = *products, error = *errors;
  for (int64_t i = 0; i < length; ++i) {
    if (stride != 0) {
      product = products[i * stride];
      error = errors[i * stride];
    }
    error =
        propagateProduct(product, elements[i], error, elementErrors[i], factor);
    errors[i * stride] = error;
    product *= elements[i];
  }
}

/// Counts the elements that are as great as the sample, which is the first that
/// is not zero: zeros do not round.
static void countRepeats(double *samples, double *repeats, int64_t stride,
                         const double *elements, int64_t length) {
  if (stride != 0) {
    for (int64_t i = 0; i < length; ++i) {
      double &sample = samples[i * stride], &count = repeats[i * stride];
      double magnitude = std::fabs(elements[i]);
      sample = count == 0.0 ? magnitude : sample;
      count += magnitude == sample && magnitude != 0.0 ? 1.0 : 0.0;
    }
    return;
  }
  int64_t i = 0;
  if (*repeats == 0.0) {
    while (i < length && elements[i] == 0.0)
      ++i;
    if (i == length)
      return;
    *samples = std::fabs(elements[i]);
  }
  double sample = *samples;
  int64_t count = 0;
  for (; i < length; ++i)
    count += std::fabs(elements[i]) == sample;
  *repeats += static_cast<double>(count);
}

/// Adds the counts of another chunk; of two samples the more frequent stays.
static void mergeRepeats(double *samples, double *repeats,
                         const double *partSamples, const double *partRepeats,
                         int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    if (samples[i] == partSamples[i]) {
      repeats[i] += partRepeats[i];
    } else if (partRepeats[i] > repeats[i]) {
      samples[i] = partSamples[i];
      repeats[i] = partRepeats[i];
    }
  }
}

/// Adds with a correction (A. Neumaier, 1974: Kahan's sum, also right where an
/// element is greater than the sum so far).
static void combineCompensated(double *sums, double *corrections,
                               int64_t stride, const double *elements,
                               int64_t length) {
  for (int64_t i = 0; i < length; ++i) {
    double &sum = sums[i * stride], element = elements[i];
    double next = sum + element;
    double lost = std::fabs(sum) >= std::fabs(element) ? (sum - next) + element
                                                       : (element - next) + sum;
    // Infinities lose nothing.
    if (std::isfinite(next))
      corrections[i * stride] += lost;
    sum = next;
  }
}

static double addGrowth(double sum, double factor) {
  double magnitude = std::fabs(factor);
  return magnitude > 1.0 ? sum + std::log2(magnitude) : sum;
}
static double addShrinkage(double sum, double factor) {
  double magnitude = std::fabs(factor);
  return magnitude < 1.0 && magnitude > 0.0 ? sum - std::log2(magnitude) : sum;
}

void ReduceAccumulator::accumulateFloats(State &state, int64_t first,
                                         int64_t count,
                                         const TileOperand &elements) const {
  auto add = [](double a, double b) { return a + b; };
  auto addMagnitude = [](double a, double b) { return a + std::fabs(b); };
  auto greater = [](double a, double b) { return a > b ? a : b; };
  bool roundToF32 = options.precision == Precision::Type &&
                    isa<Float32Type>(node.accumulatorType);
  ReductionKind kind = node.reductionKind;
  withFloatCombine(kind, roundToF32, [&](auto combine) {
    int64_t done = 0;
    walk.forEachRun(first, count, [&](int64_t at, int64_t stride, int64_t n) {
      const double *values = elements.floats + done;
      double *results = state.floats.get() + at;
      if (state.errors) {
        const double *errors = elements.errors + done;
        double *to = state.errors.get() + at;
        if (kind == ReductionKind::Add) {
          combineRun(to, stride, errors, n, add);
          combineRun(state.magnitudes.get() + at, stride, values, n,
                     addMagnitude);
        } else if (kind == ReductionKind::Mul) {
          combineProductErrors(results, to, stride, values, errors, n,
                               options.errorFactor);
          combineRun(state.magnitudes.get() + at, stride, values, n, addGrowth);
          combineRun(state.shrinkages.get() + at, stride, values, n,
                     addShrinkage);
        } else {
          combineRun(to, stride, errors, n, greater);
        }
        if (state.samples)
          countRepeats(state.samples.get() + at, state.repeats.get() + at,
                       stride, values, n);
      }
      if (state.corrections)
        combineCompensated(results, state.corrections.get() + at, stride,
                           values, n);
      else
        combineRun(results, stride, values, n, combine);
      done += n;
    });
  });
}

/// Calls `use` with the function that combines two integers of `width`.
template <typename Use>
static void withIntegerCombine(ReductionKind kind, unsigned width, Use use) {
  auto unsignedLess = [=](int64_t a, int64_t b) {
    return asUnsigned(a, width) < asUnsigned(b, width);
  };
  auto signedLess = [=](int64_t a, int64_t b) {
    return asSigned(a, width) < asSigned(b, width);
  };
  switch (kind) {
  case ReductionKind::Add:
    return use([=](int64_t a, int64_t b) {
      return wrap(static_cast<uint64_t>(a) + static_cast<uint64_t>(b), width);
    });
  case ReductionKind::Mul:
    return use([=](int64_t a, int64_t b) {
      return wrap(static_cast<uint64_t>(a) * static_cast<uint64_t>(b), width);
    });
  case ReductionKind::MinSI:
    return use([=](int64_t a, int64_t b) { return signedLess(b, a) ? b : a; });
  case ReductionKind::MaxSI:
    return use([=](int64_t a, int64_t b) { return signedLess(a, b) ? b : a; });
  case ReductionKind::MinUI:
    return use(
        [=](int64_t a, int64_t b) { return unsignedLess(b, a) ? b : a; });
  case ReductionKind::MaxUI:
    return use(
        [=](int64_t a, int64_t b) { return unsignedLess(a, b) ? b : a; });
  case ReductionKind::And:
    return use([](int64_t a, int64_t b) { return a & b; });
  case ReductionKind::Or:
    return use([](int64_t a, int64_t b) { return a | b; });
  case ReductionKind::Xor:
    return use([](int64_t a, int64_t b) { return a ^ b; });
  default:
    llvm_unreachable("not an integer kind");
  }
}

void ReduceAccumulator::accumulateIntegers(State &state, int64_t first,
                                           int64_t count,
                                           const TileOperand &elements) const {
  unsigned width = node.elementType.getIntOrFloatBitWidth();
  withIntegerCombine(node.reductionKind, width, [&](auto combine) {
    int64_t done = 0;
    walk.forEachRun(first, count, [&](int64_t at, int64_t stride, int64_t n) {
      combineRun(state.integers.get() + at, stride, elements.integers + done, n,
                 combine);
      if (state.errors)
        combineRun(state.errors.get() + at, stride, elements.errors + done, n,
                   [](double a, double b) { return a + b; });
      done += n;
    });
  });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void ReduceAccumulator::writeEmpty() {
  TypedAttr value = getEmptyValue(node.reductionKind, node.elementType);
  if (node.isFloat())
    std::fill_n(node.held.floats.get(), node.numElements, toDouble(value));
  else
    std::fill_n(node.held.integers.get(), node.numElements,
                wrap(cast<IntegerAttr>(value).getValue().getZExtValue(),
                     node.elementType.getIntOrFloatBitWidth()));
  if (node.held.errors)
    std::fill_n(node.held.errors.get(), node.numElements, 0.0);
}

void ReduceAccumulator::finish() {
  node.allocate(options.errors);
  node.isHeld = true;
  if (numCombined == 0)
    return writeEmpty();
  if (node.numElements == 0)
    return;
  if (node.isFloat())
    finishFloats(states.front());
  else
    finishIntegers(states.front());
  states.clear();
}

void ReduceAccumulator::mergeFloats(State &total, const State &part) const {
  int64_t count = node.numElements;
  auto add = [](double a, double b) { return a + b; };
  auto greater = [](double a, double b) { return a > b ? a : b; };
  auto merge = [&](const auto &to, const auto &from, auto combine) {
    if (to)
      combineRun(to.get(), 1, from.get(), count, combine);
  };
  if (total.errors && node.reductionKind == ReductionKind::Mul)
    combineProductErrors(total.floats.get(), total.errors.get(), 1,
                         part.floats.get(), part.errors.get(), count,
                         options.errorFactor);
  else if (node.reductionKind == ReductionKind::Add)
    merge(total.errors, part.errors, add);
  else
    merge(total.errors, part.errors, greater);
  merge(total.magnitudes, part.magnitudes, add);
  merge(total.shrinkages, part.shrinkages, add);
  if (total.samples)
    mergeRepeats(total.samples.get(), total.repeats.get(), part.samples.get(),
                 part.repeats.get(), count);
  merge(total.corrections, part.corrections, add);
  if (total.corrections)
    return combineCompensated(total.floats.get(), total.corrections.get(), 1,
                              part.floats.get(), count);
  withFloatCombine(node.reductionKind, /*roundToF32=*/false,
                   [&](auto f) { merge(total.floats, part.floats, f); });
}

void ReduceAccumulator::finishFloats(State &total) {
  int64_t count = node.numElements;
  for (State &state : llvm::drop_begin(states))
    if (!state.isEmpty())
      mergeFloats(total, state);
  if (total.corrections)
    for (int64_t i = 0; i < count; ++i)
      if (total.corrections[i] != 0.0) // keeps -0.0
        total.floats[i] += total.corrections[i];
  addOrderErrors(total);
  finishRounding(FloatFormat::get(cast<FloatType>(node.accumulatorType)),
                 Rounding::none(), options, count, total.floats.get(),
                 total.errors.get());
  auto format = FloatFormat::get(cast<FloatType>(node.elementType));
  if (node.elementType != node.accumulatorType)
    roundToFormat(format, options.errorFactor, count, total.floats.get(),
                  total.errors.get());
  node.held.floats = std::move(total.floats);
  node.held.errors = std::move(total.errors);
}

void ReduceAccumulator::finishIntegers(State &total) {
  int64_t count = node.numElements;
  unsigned width = node.elementType.getIntOrFloatBitWidth();
  auto add = [](double a, double b) { return a + b; };
  withIntegerCombine(node.reductionKind, width, [&](auto combine) {
    for (State &state : llvm::drop_begin(states)) {
      if (state.isEmpty())
        continue;
      combineRun(total.integers.get(), 1, state.integers.get(), count, combine);
      if (total.errors)
        combineRun(total.errors.get(), 1, state.errors.get(), count, add);
    }
  });
  // Only a sum changes by no more than its elements do.
  if (total.errors && node.reductionKind != ReductionKind::Add)
    for (int64_t i = 0; i < count; ++i)
      if (total.errors[i] != 0.0)
        total.errors[i] = std::numeric_limits<double>::infinity();
  node.held.integers = std::move(total.integers);
  node.held.errors = std::move(total.errors);
}

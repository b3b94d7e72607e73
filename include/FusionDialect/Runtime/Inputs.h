//===- Inputs.h - The arguments of a run ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns `--input=K=...` and `--shape=K=...` into one host tensor for each
// argument of a function. Scalars are tensors of rank 0.
//
// Random elements depend on the seed, the number of the argument and the index
// of the element alone: they are the same on every platform and for any number
// of threads.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_RUNTIME_INPUTS_H
#define FUSIONDIALECT_RUNTIME_INPUTS_H

#include "FusionDialect/Reference/HostTensor.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::fusion {

/// What one argument is made of.
struct InputSpec {
  enum class Kind {
    /// The file `text`.
    File,
    /// Random elements; see `fillRandom`.
    Random,
    /// The literal `text` for every element.
    Constant,
    /// Undefined contents: a memref that the function writes.
    Uninitialized
  };
  Kind kind = Kind::Random;
  std::string text;
};

/// Parses `K=FILE.npy`, `K=rand` or `K=const:V`.
llvm::Expected<std::pair<unsigned, InputSpec>>
parseInputOption(llvm::StringRef option);

/// Parses `K=4x8`, the extents of an argument; `K=` alone says rank 0.
llvm::Expected<std::pair<unsigned, SmallVector<int64_t>>>
parseShapeOption(llvm::StringRef option);

/// The value of `--input` and `--shape` for one argument.
struct ArgumentSpec {
  /// What was asked for; without it tensors are random and memrefs are
  /// uninitialized.
  std::optional<InputSpec> input;
  /// The extents, where the type or a file does not give them.
  std::optional<SmallVector<int64_t>> shape;
};

/// An argument in host memory.
struct HostArgument {
  HostTensor tensor;
  /// False if the contents are undefined.
  bool initialized = true;
  /// How it was made, for reports, e.g. "rand".
  std::string origin;
};

/// Fills `tensor` with random elements:
/// floats are normal with mean 0 and variance 1, rounded to the type; integers
/// and index are uniform in [-8, 7], index in [0, 15]; i1 is fair.
void fillRandom(HostTensor &tensor, uint64_t seed, unsigned argument);

/// The quantile function of the normal distribution for 0 < p < 1, within
/// 1.2e-9 relative; the same bits on every IEEE platform.
double getNormalQuantile(double p);

/// Sets every element to the literal `text`: a decimal or hexadecimal float,
/// `nan`, `inf`, `-inf`; for integers a number that fits (signed or unsigned);
/// for i1 also `true` and `false`. Floats are rounded to the type.
llvm::Error fillConstant(HostTensor &tensor, llvm::StringRef text);

/// Makes the argument number `number` of type `type`: a ranked tensor, a memref
/// or a scalar. Errors begin with "argument K".
llvm::Expected<HostArgument> makeArgument(unsigned number, Type type,
                                          const ArgumentSpec &spec,
                                          uint64_t seed);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_INPUTS_H

//===- ProgramBuilder.h - Builds random programs ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program under construction: one function with results. Values of one shape
// are kept together in a space, from which operations take their operands.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RANDOM_TEST_PROGRAMBUILDER_H
#define FUSION_TOOLS_FUSION_RANDOM_TEST_PROGRAMBUILDER_H

#include "FusionDialect/IR/Fusion.h"
#include "Operations.h"
#include "Random.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::fusion {

/// What a program may hold.
struct ProgramRules {
  /// Element types of arguments and results; empty: all.
  SmallVector<Type> memoryTypes;
  /// Element types that are reduced; empty: all.
  SmallVector<Type> reducedTypes;
  /// Element types of everything else; empty: all.
  SmallVector<Type> types;
  /// Only operations that compute the same bits on every device.
  bool exactOnly = false;
  /// Every new argument or constant is combined with what is there, so that
  /// the program hangs together.
  bool joins = false;

  bool allowsInMemory(Type type) const {
    return memoryTypes.empty() || llvm::is_contained(memoryTypes, type);
  }
  bool allows(Type type) const {
    return types.empty() || llvm::is_contained(types, type);
  }
  bool allowsReduced(Type type) const {
    return reducedTypes.empty() || llvm::is_contained(reducedTypes, type);
  }
  bool allows(const OperationPair &pair) const;
};

/// The values of one shape.
struct Space {
  SmallVector<int64_t> shape;
  SmallVector<Value> values;
  /// A space whose values can be taken too: they are known earlier.
  Space *earlier = nullptr;
  /// New values may come from arguments and constants.
  bool takesArguments = true;
};

class ProgramBuilder {
public:
  ProgramBuilder(MLIRContext *context, uint64_t seed, ProgramRules rules);

  Random &getRandom() { return random; }
  const ProgramRules &getRules() const { return rules; }
  OpBuilder &getBuilder() { return builder; }
  Location getLoc() { return builder.getUnknownLoc(); }
  /// An element type for arguments.
  Type pickMemoryType();

  /// A constant or a splat, put into `space`.
  Value addConstant(Space &space, Type elementType);
  Value addSplat(Space &space, Type elementType);
  /// A value of `space` with that element type: one that is there or, less
  /// often, a new one.
  Value getValue(Space &space, Type elementType);
  /// Applies an element-wise operation to values of `space`.
  Value apply(const OperationSpec &spec, Type elementType, Space &space);
  /// A reduction of `input`; the result is put into `space`.
  Value reduce(StringRef kind, Value input, ArrayRef<int64_t> dims,
               Space &space);
  /// A broadcast of `input` to the shape of `space`, combined with a value of
  /// it where the program must hang together.
  Value broadcast(Value input, ArrayRef<int64_t> dims, Space &space);

  /// True if nothing uses `value` yet.
  static bool isUnused(Value value) { return value.use_empty(); }
  /// All results of operations, and arguments, in order.
  SmallVector<Value> getAllValues();
  /// The values that depend on `root`, or share an operand that is no constant
  /// with one that does, and so on; in order.
  SmallVector<Value> getConnected(Value root);

  /// Ends the function.
  OwningOpRef<ModuleOp> finish(ArrayRef<Value> results);

private:
  Value create(StringRef name, ValueRange operands, Type elementType,
               ArrayRef<int64_t> shape,
               ArrayRef<NamedAttribute> attributes = {});
  Value makeValue(Space &space, Type elementType);
  Value makeByCast(Space &space, Type elementType);
  /// `value` as another element type; null if there is no cast.
  Value convert(Value value, Type to, Space &space);
  Value join(Value value, Space &space);
  Value getOther(Space &space, Type elementType, Value than);
  Value makeConstant(const Space &space, Type elementType);
  Value makeSplat(const Space &space, Type elementType);
  Type pickPresentType(const Space &space);
  Value makeCondition(Space &space);
  Value addSplatConstant(ArrayRef<int64_t> shape, TypedAttr value);
  TypedAttr pickNumber(Type elementType);
  void addFlags(StringRef name, SmallVectorImpl<NamedAttribute> &attributes);
  Value clamp(Value value, bool isSigned);
  Value applyInteger(const OperationSpec &spec, Type elementType, Space &space);
  Value applyCast(const OperationSpec &spec, Value value, Type to,
                  Space &space);
  /// Adds `value` to `space`, and returns it.
  static Value put(Space &space, Value value) {
    space.values.push_back(value);
    return value;
  }

  Random random;
  ProgramRules rules;
  OwningOpRef<ModuleOp> module;
  OpBuilder builder;
  func::FuncOp function;
};

} // namespace mlir::fusion

#endif // FUSION_TOOLS_FUSION_RANDOM_TEST_PROGRAMBUILDER_H

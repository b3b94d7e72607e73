//===- Passes.td - Passes over programs and segments -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order of the phases: simplify, algebra, segment, schedule. The passes
// run on any operation and work on the functions in it, whatever their kind: on
// a module, or nested on functions.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_PASSES_TD
#define FUSION_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

defvar remarksOption =
  Option<"remarks", "remarks", "bool", /*default=*/"true",
         "Tell what was decided and why by remarks; off where a pass only tries "
         "what would become of a program">;

defvar deviceOptions = [
  Option<"chip", "chip", "std::string", /*default=*/"\"sm_90\"",
         "The instruction set, e.g. sm_90">,
  Option<"device", "device", "std::string", /*default=*/"",
         "The device model, e.g. h200; empty: the default of the chip">,
  Option<"plainLaunches", "plain-launches", "bool", /*default=*/"false",
         "Make no schedules that need cooperative or dependent launches">
];

defvar schedulersOption =
  ListOption<"schedulers", "schedulers", "std::string",
             "The schedulers to ask, by name; empty: all that are registered">;

def PreemptFoldersPass : Pass<"fusion-preempt-folders"> {
  let summary = "Fold what upstream's folders get wrong";
  let description = [{
    `arith.cmpf` that holds always or never is a constant, which upstream's
    canonicalization crashes on where an operand comes from an integer. Upstream
    folds `math.atan2` of two zeros to NaN; of constants, and of what
    upstream would fold to constants in the same run, it is computed here. Numbers
    of a type without infinities (f8E4M3FN) that come from integers are compared as
    f32: upstream would compare the integers, though one that overflows is NaN.

    `arith.xori` and `arith.cmpi` of a value with itself have equal elements,
    whatever the value is. Upstream folds both to a constant, which of a dynamic
    shape does not exist: it cannot be parsed, nor given memory. They become
    `tensor.splat` here, before upstream's folders see them. Static shapes of these
    are left to upstream. Exact.

    **Before**: `%y = arith.xori %x, %x : tensor<?x8xi32>`

    **After**

    ```mlir
    %n = tensor.dim %x, %c0 : tensor<?x8xi32>
    %y = tensor.splat %c0_i32[%n] : tensor<?x8xi32>
    ```
  }];
  let statistics = [
    Statistic<"numFolded", "folded", "Operations that became a constant, a splat or a comparison of f32">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def RefineExtentsPass : Pass<"fusion-refine-extents"> {
  let summary = "Make extents static where the facts prove them";
  let description = [{
    Dimensions of one class have one extent (see the analysis DimClasses): the
    operands and the result of an element-wise operation, both sides of a
    `tensor.cast`, the dimensions of a reshape whose product is known. Where one
    of them is static, the `?` of the others become that extent. What the
    program did not say about its arguments and about what other operations give
    it is asserted; the signature of the function stays, unless `refine-results`
    lets it return what is known.

    What `scf.for` carries gets the static extents that it starts with and that
    every iteration keeps; what `scf.if` gives gets those of both branches.

    **Preconditions**: tensors only. Operations that are not schedulable keep
    their types, with a `tensor.cast` where it takes one.

    **Errors**: two static extents of one class.

    **Before**

    ```mlir
    func.func @f(%x: tensor<4x8xf32>, %y: tensor<4x?xf32>) -> tensor<4x?xf32> {
      %0 = tensor.cast %x : tensor<4x8xf32> to tensor<4x?xf32>
      %1 = arith.addf %0, %y : tensor<4x?xf32>
      return %1 : tensor<4x?xf32>
    }
    ```

    **After**

    ```mlir
    func.func @f(%x: tensor<4x8xf32>, %y: tensor<4x?xf32>) -> tensor<4x?xf32> {
      %c1 = arith.constant 1 : index
      %n = tensor.dim %y, %c1 : tensor<4x?xf32>
      %c8 = arith.constant 8 : index
      %0 = arith.cmpi eq, %n, %c8 : index
      cf.assert %0, "expected dimension 1 of argument 1 to be 8"
      %1 = tensor.cast %y : tensor<4x?xf32> to tensor<4x8xf32>
      %2 = arith.addf %x, %1 : tensor<4x8xf32>
      %3 = tensor.cast %2 : tensor<4x8xf32> to tensor<4x?xf32>
      return %3 : tensor<4x?xf32>
    }
    ```

    **Numerics**: bit-exact.
  }];
  let options = [
    Option<"refineResults", "refine-results", "bool", /*default=*/"false",
           "Let functions that nothing calls return refined types">
  ];
  let statistics = [
    Statistic<"numRefined", "refined", "Values that got another type">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SimplifyPass : Pass<"fusion-simplify"> {
  let summary = "Say what a program says in fewer operations";
  let description = [{
    Shorter chains of shape operations, and values computed where they vary
    least. Analyses and schedulers look through what is left.

    | from | to |
    |---|---|
    | `expand_shape` that adds unit dimensions | `broadcast` (and `expand_shape` of the rest) |
    | `collapse_shape` that drops unit dimensions | `squeeze` (and `collapse_shape` of the rest) |
    | `squeeze(broadcast(x))` | `broadcast(squeeze(x))`, without what cancels |
    | `broadcast(squeeze(x))` | `broadcast(x)` where the unit dimension grows |
    | `broadcast(broadcast(x))` | `broadcast(x)` |
    | `transpose(broadcast(x))` | `broadcast(x)`, or `broadcast(transpose(x))` |
    | `transpose(x)` that moves unit dimensions only | `broadcast(squeeze(x))` |
    | `squeeze(transpose(x))` | `transpose(squeeze(x))` |
    | `tensor.concat` with operands that have nothing along its dimension | the same without them |
    | `f(broadcast(x), broadcast(y), constant)`, `f` element-wise | `broadcast(f(x, y, constant))` |
    | `reduce(broadcast(x))`, where repeated dimensions stay, or are combined by minimum, maximum, and, or | `broadcast(reduce(x))` |
    | `reduce` over static unit dimensions | `squeeze`, and `reduce` of the rest |
    | `reduce` over a dimension without elements | a constant |
    | a value without elements | a constant |
    | a shift by a constant of the width or more | 0, or `shrsi` by the width less 1 |
    | a cast of a constant float that is out of range | the nearest integer in range; of NaN 0 |

    A dimension that is `?` is never taken for a unit: it never grows.

    **Preconditions**: tensors only. Other operations stay as they are.

    **Before**

    ```mlir
    %k = tensor.expand_shape %v [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
    %r = math.rsqrt %k : tensor<4x1xf32>
    %s = fusion.squeeze %r dims = [1] : tensor<4x1xf32> -> tensor<4xf32>
    %b = fusion.broadcast %s dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
    ```

    **After**

    ```mlir
    %r = math.rsqrt %v : tensor<4xf32>
    %b = fusion.broadcast %r dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
    ```

    Casts that cancel, equal reductions and equal broadcasts are left to
    canonicalize and cse, which stand beside this pass in the simplify phase; sums
    and products of repeated elements to `fusion-reorder-reductions`.

    **Numerics**: each row of the table is bit-exact. Elements are moved, or the
    same operation is applied to the same elements fewer times. What `arith` calls
    poison in the last two gets the value that the reference gives it.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::fusion::FusionDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ReorderReductionsPass : Pass<"fusion-reorder-reductions"> {
  let summary = "Reduce before multiplying, adding and broadcasting";
  let description = [{
    Rewrites a reduction of an expression into an expression of reductions where
    that takes fewer points of iteration, a shorter chain of reductions or fewer
    operations, in this order. docs/Algebra.md lists the rules; what they rest on
    is data (`IR/Algebra.h`).

    **Preconditions**: tensors only. Segments are left alone.

    **Before**: 4 x 8 x 16 points

    ```mlir
    func.func @f(%x: tensor<4x8x1xf32>, %b: tensor<4x1x16xf32>) -> tensor<4x16xf32> {
      %0 = fusion.broadcast %x dims = [0, 1, 2] : tensor<4x8x1xf32> -> tensor<4x8x16xf32>
      %1 = fusion.broadcast %b dims = [0, 1, 2] : tensor<4x1x16xf32> -> tensor<4x8x16xf32>
      %2 = arith.mulf %0, %1 fastmath<reassoc> : tensor<4x8x16xf32>
      %3 = fusion.reduce add %2 dims = [1] fastmath<reassoc> : tensor<4x8x16xf32> -> tensor<4x16xf32>
      return %3 : tensor<4x16xf32>
    }
    ```

    **After**: 4 x 8 + 4 x 16 points

    ```mlir
    func.func @f(%x: tensor<4x8x1xf32>, %b: tensor<4x1x16xf32>) -> tensor<4x16xf32> {
      %0 = fusion.squeeze %x dims = [2] : tensor<4x8x1xf32> -> tensor<4x8xf32>
      %1 = fusion.reduce add %0 dims = [1] fastmath<reassoc> : tensor<4x8xf32> -> tensor<4xf32>
      %2 = fusion.squeeze %b dims = [1] : tensor<4x1x16xf32> -> tensor<4x16xf32>
      %3 = fusion.broadcast %1 dims = [0] : tensor<4xf32> -> tensor<4x16xf32>
      %4 = arith.mulf %3, %2 fastmath<reassoc> : tensor<4x16xf32>
      return %4 : tensor<4x16xf32>
    }
    ```

    **Numerics**: exact, except where the reduction and every operation it moves
    through carry `reassoc` (and `nnan`, `ninf`, `afn` where a rule says so).
    Minima and maxima move through monotone operations bit for bit.

    Left alone, with a remark that says what is missing: rewrites that need a
    flag; contractions, that is, two factors that share a reduced dimension and
    have kept dimensions of their own. A rewrite that saves points while the
    expression stays, because something else uses it, trades one cost for
    another: the reduction is marked with `fusion.contested`, and
    `contested=apply` rewrites the marked ones. `fusion-decide-contested` chooses
    among them by the price of the kernels.
  }];
  let options = [
    Option<"contested", "contested", "std::string", /*default=*/"\"mark\"",
           "What becomes of contested rewrites: mark, or apply to rewrite the "
           "reductions that carry the mark">,
    Option<"dynamicExtent", "dynamic-extent", "int64_t", /*default=*/"1024",
           "The extent that counts for a dynamic dimension when iteration "
           "spaces are compared">,
    remarksOption
  ];
  let statistics = [
    Statistic<"numApplied", "applied", "Reductions rewritten">,
    Statistic<"numContested", "contested", "Reductions marked as contested">,
    Statistic<"numDeclined", "declined", "Reductions that lack a flag or fact">
  ];
  let dependentDialects = ["::mlir::fusion::FusionDialect"];
}

def DecideContestedPass : Pass<"fusion-decide-contested"> {
  let summary = "Decide contested rewrites by the price of the kernels";
  let description = [{
    `fusion-reorder-reductions` marks the rewrites that save points of iteration
    but leave the expression, since something else uses it. Whether that pays
    depends on the kernels. So each function with marks is taken through the
    rest of the algebra phase and segmented as it is, and again with marked
    reductions rewritten. It becomes the version whose plan leaves fewer
    operations outside segments, or else takes less time. Of two that are equal
    the one as written stays.

    Up to `max-separate` marks are decided one after the other in program order,
    and then against all of them together; more of them only together.

    **Preconditions**: tensors only, the marks of `fusion-reorder-reductions`.
    Afterwards no reduction is marked.

    **Before**

    ```mlir
    func.func @f(%x: tensor<4x8xf32>, %b: tensor<4x2xf32>) -> (tensor<4x8x2xf32>, tensor<4x2xf32>) {
      %0 = fusion.broadcast %x dims = [0, 1] : tensor<4x8xf32> -> tensor<4x8x2xf32>
      %1 = fusion.broadcast %b dims = [0, 2] : tensor<4x2xf32> -> tensor<4x8x2xf32>
      %2 = arith.mulf %0, %1 fastmath<reassoc> : tensor<4x8x2xf32>
      %3 = fusion.reduce add %2 dims = [1] fastmath<reassoc> {fusion.contested = "distribute"} : tensor<4x8x2xf32> -> tensor<4x2xf32>
      return %2, %3 : tensor<4x8x2xf32>, tensor<4x2xf32>
    }
    ```

    **After**, if one kernel for both is the cheapest: the same without the mark.

    A remark at each marked reduction, `applied` (passed) or `kept` (missed),
    gives the price of both plans: time, bytes and launches of the function.

    **Numerics**: those of the rules.
  }];
  let options = deviceOptions # [
    schedulersOption,
    Option<"maxSeparate", "max-separate", "unsigned", /*default=*/"8",
           "The number of marks of a function up to which each is decided on its "
           "own">
  ];
  let statistics = [
    Statistic<"numAppliedRewrites", "applied", "Contested rewrites applied">,
    Statistic<"numKept", "kept", "Contested reductions that stay as written">,
    Statistic<"numPlans", "plans", "Versions of functions that were segmented">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::fusion::FusionDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SplitReductionsPass : Pass<"fusion-split-reductions"> {
  let summary = "Reduce in two stages where one stage would need another pass";
  let description = [{
    A reduction over more dimensions than the reduction that its operand comes
    from would have to wait until all of the operand is there and read it again.
    It becomes two: the first removes the dimensions that the other reduction
    removes, and shares its loop; the second finishes the partial results.

    The other reduction, the *reference*, is found by dimension class
    (`DimClasses`): one of those whose totals the operand is made from; else one
    that walks over the same dimensions. References that reduce different
    dimensions of it speak against a split.

    **Preconditions**: tensors only. Segments are left alone.

    **Before**

    ```mlir
    func.func @f(%x: tensor<4x8xf32>) -> tensor<f32> {
      %0 = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
      %1 = fusion.broadcast %0 dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
      %2 = arith.subf %x, %1 : tensor<4x8xf32>
      %3 = fusion.reduce maximumf %2 dims = [0, 1] : tensor<4x8xf32> -> tensor<f32>
      return %3 : tensor<f32>
    }
    ```

    **After**

    ```mlir
    func.func @f(%x: tensor<4x8xf32>) -> tensor<f32> {
      %0 = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
      %1 = fusion.broadcast %0 dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
      %2 = arith.subf %x, %1 : tensor<4x8xf32>
      %3 = fusion.reduce maximumf %2 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
      %4 = fusion.reduce maximumf %3 dims = [0] : tensor<4xf32> -> tensor<f32>
      return %4 : tensor<f32>
    }
    ```

    **Numerics**: another order inside the reduction. Partial results of minima
    and maxima have the operand's type, others the accumulator's; the total is
    rounded to the result's type once. The operand is read as it is: the maximum
    of rounded values is that of rounded values.

    Left alone, with a remark: no reference, references that disagree, a
    reference that reduces more than the reduction, and partial results that are
    no fewer bytes than the operand.
  }];
  let options = [remarksOption];
  let statistics = [
    Statistic<"numSplit", "split", "Reductions split into two stages">,
    Statistic<"numDeclined", "declined", "Reductions over several dimensions that stay whole">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::fusion::FusionDialect"];
}

def VerifyAlgebraPass : Pass<"fusion-verify-algebra"> {
  let summary = "Check what holds after the algebra phase";
  let description = [{
    No reduction reads a `fusion.broadcast` that repeats a dimension of static
    extent above 1, if the dimension is kept, or if equal values combine to
    themselves (minima, maxima, and, or). Fails at the first that does.
  }];
}

def SeparateLoopsPass : Pass<"fusion-separate-loops"> {
  let summary = "Name a tensor twice where two loops go over one dimension of it";
  let description = [{
    x[i] - x[j] for all i and j, or x + x^T, go over a dimension of `x` by two
    loops. But dimensions of one class are one loop (see the analysis DimClasses),
    and no kernel has a tensor with one loop for two of its dimensions. Where an
    operation would make them one, the second way to it starts from another name
    of `x`: a `tensor.extract_slice` of the whole, which no analysis looks
    through, and of which bufferization makes the same buffer. Then one kernel
    may read it twice; a value that is computed is stored first.

    It comes after canonicalization, which would fold the slice. Where reshapes
    relate such loops, all of them start from other names. Operations in a
    `fusion.segment` are left alone.

    **Before**

    ```mlir
    %a = fusion.broadcast %x dims = [0] : tensor<8xf32> -> tensor<8x8xf32>
    %b = fusion.broadcast %x dims = [1] : tensor<8xf32> -> tensor<8x8xf32>
    %d = arith.subf %a, %b : tensor<8x8xf32>
    ```

    **After**

    ```mlir
    %a = fusion.broadcast %x dims = [0] : tensor<8xf32> -> tensor<8x8xf32>
    %y = tensor.extract_slice %x[0] [8] [1] : tensor<8xf32> to tensor<8xf32>
    %b = fusion.broadcast %y dims = [1] : tensor<8xf32> -> tensor<8x8xf32>
    %d = arith.subf %a, %b : tensor<8x8xf32>
    ```

    **Numerics**: bit-exact.
  }];
  let statistics = [
    Statistic<"numNames", "names", "Tensors that got another name">
  ];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def SegmentPass : Pass<"fusion-segment"> {
  let summary = "Group operations into segments that become kernels";
  let description = [{
    Finds the cheapest way to cut each block of a function, and of the loops and
    conditions in it (`RegionBranchOpInterface`), into segments and wraps each in
    a `fusion.segment`. The cost of a plan is the sum of its segments' costs, each
    that of the cheapest scheduler which accepts it: the time to move its
    distinct inputs and its results, or to compute if that is longer, and to
    launch its kernels. docs/Segmentation.md describes the search.

    Broadcasts, casts to a wider type, splats, constants, and whatever else is
    cheaper to compute again than to store stand in each segment that uses them.

    **Preconditions**: tensors only; fusion, arith, math and tensor operations.
    Other operations stay, in order, and what stands around them is segmented.

    **Before**

    ```mlir
    func.func @f(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
      %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
      %c = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
      return %r, %c : tensor<4xf32>, tensor<8xf32>
    }
    ```

    **After**

    ```mlir
    func.func @f(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
      %0:2 = fusion.segment "inner-outer-persistent" (%arg1 = %x : tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
        %r = fusion.reduce add %arg1 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
        %c = fusion.reduce add %arg1 dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
        fusion.yield %r, %c : tensor<4xf32>, tensor<8xf32>
      }
      return %0#0, %0#1 : tensor<4xf32>, tensor<8xf32>
    }
    ```

    Remarks of the category `fusion-segment`: `segment` (passed) for each
    segment with its scheduler, predicted bytes, time and on-chip use; `merge`
    (passed) for each operation that reads what another of its segment computes;
    `rejected`, `refused` and `costlier` (missed) for each two segments that
    share a tensor and are not one, and for what no scheduler takes. What no
    scheduler takes stays outside; with `refuse-unscheduled` it is an error with
    each scheduler's typed reason.

    **Numerics**: bit-exact.
  }];
  let options = deviceOptions # [
    schedulersOption,
    Option<"refuseUnscheduled", "refuse-unscheduled", "bool",
           /*default=*/"false",
           "Fail if a schedulable operation is in no segment">,
    Option<"exactLimit", "exact-limit", "unsigned", /*default=*/"24",
           "Solve parts of at most so many operations exactly, as far as that "
           "takes few questions; 0: never">,
    Option<"printStatistics", "print-statistics", "bool", /*default=*/"false",
           "Print the statistics and each scheduler's share of the time to the "
           "standard error, also where LLVM was built without statistics">
  ];
  let statistics = [
    Statistic<"numSegments", "segments", "Segments created">,
    Statistic<"numOutside", "outside", "Operations that no scheduler accepted">,
    Statistic<"numDimClasses", "dim-classes", "Times DimClasses was computed">,
    Statistic<"numGraphs", "graphs", "Graphs computed, one a block">,
    Statistic<"numExact", "exact", "Parts of programs solved exactly">,
    Statistic<"numGreedy", "greedy", "Parts of programs solved by merging">,
    Statistic<"numAsked", "candidates", "Candidates that were asked about">,
    Statistic<"numRemembered", "remembered",
              "Candidates that were answered from memory, modulo renaming">,
    Statistic<"numMatches", "matches", "Calls of a scheduler's match">,
    Statistic<"factsMicroseconds", "facts-us",
              "Time in DimClasses and the graphs, in microseconds">,
    Statistic<"matchMicroseconds", "match-us",
              "Time in the schedulers' match, in microseconds">,
    Statistic<"searchMicroseconds", "search-us",
              "Time in the search with match, in microseconds">
  ];
  let dependentDialects = ["::mlir::fusion::FusionDialect"];
}

def ExplainPass : Pass<"fusion-explain"> {
  let summary = "Tell what each scheduler says about fusing two operations";
  let description = [{
    Prints to the standard error the smallest segment that could hold both
    operations (with all that stands on a path between them), its traffic, and
    each scheduler's answer: predicted time, bytes and on-chip use, or the typed
    reason why it refuses and the operation that causes it. The program stays
    as it is.

    An operation is named by its first result as it is printed (`%3`), by its
    place in the file (`12`, `12:8`, `f.mlir:12`, `f.mlir:12:8`), or by the name
    of its location.

    ```
    fusion-opt f.mlir --fusion-explain="a=%3 b=%7"
    ```
  }];
  let options = deviceOptions # [
    schedulersOption,
    Option<"a", "a", "std::string", /*default=*/"", "The first operation">,
    Option<"b", "b", "std::string", /*default=*/"", "The second operation">,
    Option<"function", "function", "std::string", /*default=*/"",
           "The function to look in; empty: the first that has both">
  ];
}

def PrintGraphPass : Pass<"fusion-print-graph"> {
  let summary = "Print segments and the tensors between them as Graphviz";
  let description = [{
    Writes a digraph of each function to the standard error: a box for each
    segment with its scheduler and operations, an ellipse for each argument and
    each operation outside, an arrow for each tensor with its type and bytes.

    ```
    fusion-opt f.mlir --fusion-segment --fusion-print-graph -o /dev/null 2> f.dot
    ```
  }];
}

def PrintPlanPass : Pass<"fusion-print-plan"> {
  let summary = "Print segments, launches, and the tensors that they move";
  let description = [{
    Writes to the standard output, for each function: its segments with their
    schedulers and launches (a finish kernel counts), the tensors that each reads
    and writes with their bytes, what else it moves (partial results, tensors
    that it reads more than once), and the bytes of all together. Segments
    without a schedule are taken with the one that `fusion-schedule` would give
    them.

    ```
    fusion-opt f.mlir --fusion-segment --fusion-print-plan -o /dev/null
    ```

    ```
    plan of @f: 1 segment, 2 launches, 0 operations outside segments
      segment 0: outer-reduction, 2 launches
        reads argument 0: tensor<4096x1024xf32>, 16777216 bytes
        writes result 0: tensor<1024xf32>, 4096 bytes, to the function
        moves 1048576 bytes of workspace and of what it reads again
      moves 17829888 bytes, 0 of them between segments
    ```
  }];
  let options = deviceOptions;
}

def VerifySegmentedPass : Pass<"fusion-verify-segmented"> {
  let summary = "Check what holds after the segment phase";
  let description = [{
    Every schedulable operation is in a `fusion.segment`, and each segment names
    a registered scheduler. Fails at the first operation that is not so.
    Constants are everyone's and may stand outside; all have static shapes. So may
    reshapes that group elements in another way than others: they are views.

    What else stands outside can be bufferized, as calls and slices can, since
    the host function has to hold it; it stands around no segment. With
    `allow-leftovers` anything may stand outside.
  }];
  let options = [
    Option<"allowLeftovers", "allow-leftovers", "bool", /*default=*/"false",
           "Let operations stand outside that no kernel takes and no host "
           "function holds">
  ];
}

def SchedulePass : Pass<"fusion-schedule"> {
  let summary = "Give each segment its schedule";
  let description = [{
    Each `fusion.segment` without a schedule gets the one that its scheduler
    plans for the device. A schedule that is there already is kept: write one by
    hand to try it.

    **Preconditions**: segments, made by `fusion-segment` or by hand.

    **Before**: `fusion.segment "inner-outer-persistent" (...)`

    **After**: `fusion.segment "inner-outer-persistent" schedule =
    #fusion.inner_outer<blocks = 132, ...> (...)`

    A segment that its scheduler does not take is an error with the typed reason.
    Each schedule is an analysis remark with its predicted bytes and time.

    **Numerics**: bit-exact.
  }];
  let options = deviceOptions;
  let statistics = [
    Statistic<"numScheduled", "scheduled", "Segments that got a schedule">,
    Statistic<"numRejected", "rejected", "Segments that their scheduler refused">
  ];
  let dependentDialects = ["::mlir::fusion::FusionDialect"];
}

def VerifyScheduledPass : Pass<"fusion-verify-scheduled"> {
  let summary = "Check what holds after the schedule phase";
  let description = [{
    Each segment carries a schedule of a registered scheduler. Fails at the
    first segment that does not.
  }];
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

def PrintDimClassesPass : Pass<"fusion-print-dim-classes"> {
  let summary = "Print which dimensions are the same loop";
  let description = [{
    For each tensor the classes of its dimensions, outermost first; then for each
    class its extent and, for a dimension that a reshape groups, its factors.
  }];
}

def PrintIterationSpacesPass : Pass<"fusion-print-iteration-spaces"> {
  let summary = "Print the loops of each segment, and how tensors lie in them";
  let description = [{
    For each segment, or for all schedulable operations of a function without
    segments: its loops with their extents, the strides of its inputs and outputs
    in elements, and its reductions with their levels. A set of operations that
    has no iteration space gives the typed reason.
  }];
}

def PrintReductionLevelsPass : Pass<"fusion-print-reduction-levels"> {
  let summary = "Print how many reductions stand before each value";
  let description = [{
    For each tensor its level: the reductions in the longest chain before it,
    counted from the function's arguments. For each reduction the classes (see
    `fusion-print-dim-classes`) that it reduces, those of its iteration space, and
    the number of its signature: reductions of one signature reduce the same loops
    of the same space.
  }];
}

def PrintFootprintPass : Pass<"fusion-print-footprint"> {
  let summary = "Print what a kernel for each segment must keep on chip";
  let description = [{
    For each segment, or for all schedulable operations of a function without
    segments: the loops of a row; the values of an element and of a row that wait
    for a later level, with the levels that compute and last use them; what
    recomputing them from inputs (projection) would hold instead; the partial
    results of a column; the inputs that all rows share; and the bytes of each.
  }];
}

def PrintTrafficPass : Pass<"fusion-print-traffic"> {
  let summary = "Print the bytes that each segment must move";
  let description = [{
    For each segment, or for all schedulable operations of a function without
    segments: the bytes of its distinct inputs and of its outputs, with
    `extent(N)` for the extent of class N (see `fusion-print-dim-classes`) that
    only the launch knows. For a segment also what its scheduler predicts to move
    beyond that, with 4096 for such extents: partial results, and what it reads
    more than once.
  }];
  let options = deviceOptions;
}

def PrintDeviceModelPass : Pass<"fusion-print-device-model"> {
  let summary = "Print what schedulers know about the device";
  let options = deviceOptions;
}

#endif // FUSION_TRANSFORMS_PASSES_TD

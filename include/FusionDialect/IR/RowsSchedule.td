//===- RowsSchedule.td - Schedules of kernels over rows ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ROWS_SCHEDULE_TD
#define FUSION_ROWS_SCHEDULE_TD

include "mlir/IR/AttrTypeBase.td"
include "FusionDialect/IR/FusionDialect.td"
include "FusionDialect/IR/FusionEnums.td"
include "FusionDialect/IR/FusionInterfaces.td"

def Fusion_RowsScheduleAttr
    : AttrDef<Fusion_Dialect, "RowsSchedule",
              [DeclareAttrInterfaceMethods<Fusion_ScheduleAttrInterface>]> {
  let mnemonic = "rows";
  let summary = "The complete schedule of a kernel over independent rows";
  let description = [{
    A block has `groups * rows` rows of its own and ends with them: block b has
    those from `b * groups * rows`. Each of the `groups` thread groups of
    `threads / groups` threads works on `rows` rows at a time. Thread t of a
    group owns the columns of the tiles `v * (threads / groups) + t`, each of
    `width` columns; if a row has several sets of columns, of each of them.

    The blocks of a cluster share their rows: cluster b has those that block b
    has above, and its threads together are one group.

    | parameter | meaning |
    |---|---|
    | `kind` | the scheduler: `inner_persistent` or `inner_reduction` |
    | `blocks` | blocks of the grid: the rows divided by `groups * rows`, rounded up, times `cluster`; 0 if there are none. Where only the launch knows the outermost extent, those for an extent of 4096; as many as it needs are launched |
    | `cluster` | blocks that share their rows and exchange partial results through distributed shared memory; 1 if left out, and where only the launch knows the outermost extent |
    | `threads` | threads of a block |
    | `groups` | row groups of a block |
    | `rows` | rows that a group handles together, in one packed reduction; 1 for `looped` |
    | `width` | columns of one access |
    | `vectors` | tiles of a thread in the longest set of columns, all loaded before the first is used; for `looped` those of one iteration |
    | `traversal` | `resident`: each row is read once and waits in registers; `looped`: the columns are walked in a loop, once for each level that needs them |
    | `occupancy` | blocks that a multiprocessor holds at once: bounds the registers of a thread |
    | `shared_bytes` | dynamic shared memory of a block |

    Example:

    ```mlir
    #fusion.rows<kind = inner_persistent, blocks = 16384, threads = 128,
                 groups = 1, rows = 1, width = 8, vectors = 4,
                 traversal = resident, occupancy = 6, shared_bytes = 64>
    ```
  }];
  let parameters = (ins
    EnumParameter<Fusion_RowsKind>:$kind, "unsigned":$blocks,
    DefaultValuedParameter<"unsigned", "1">:$cluster, "unsigned":$threads, "unsigned":$groups, "unsigned":$rows,
    "unsigned":$width, "unsigned":$vectors,
    EnumParameter<Fusion_RowTraversal>:$traversal, "unsigned":$occupancy,
    "uint64_t":$shared_bytes);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Threads that share one row, of all blocks of a cluster.
    unsigned getThreadsPerRow() const {
      return getThreads() / getGroups() * getCluster();
    }
    /// Rows of a block, or of the blocks of a cluster together.
    unsigned getRowsPerBlock() const { return getGroups() * getRows(); }
  }];
}

#endif // FUSION_ROWS_SCHEDULE_TD

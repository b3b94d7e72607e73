//===- FusionAttrs.td - Attributes of the fusion dialect ---*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ATTRS_TD
#define FUSION_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "FusionDialect/IR/FusionDialect.td"
include "FusionDialect/IR/FusionEnums.td"
include "FusionDialect/IR/FusionInterfaces.td"
include "FusionDialect/IR/RowsSchedule.td"
include "FusionDialect/IR/TileSchedules.td"

def Fusion_FinishParameter : EnumParameter<Fusion_FinishMode> {
  let defaultValue = "FinishMode::Plain";
}

def Fusion_InnerOuterScheduleAttr
    : AttrDef<Fusion_Dialect, "InnerOuterSchedule",
              [DeclareAttrInterfaceMethods<Fusion_ScheduleAttrInterface>]> {
  let mnemonic = "inner_outer";
  let summary = "The complete schedule of an inner-outer persistent kernel";
  let description = [{
    The blocks of a cluster share a row: block r of `cluster` has `c` columns
    from r * c on, where c is the number of columns divided by `cluster` and
    rounded up to whole vectors (to 16 bytes for `bulk_copy`). A cluster stays
    on its multiprocessors and walks over tiles of `groups * rows` rows: tile i
    of cluster k holds the rows from
    `(i * blocks / cluster + k) * groups * rows`. Each of the `groups` thread
    groups of `threads / groups` threads works on `rows` rows at a time. Thread
    t of a group owns the columns of the vectors `v * (threads / groups) + t`
    of its block for v in `[0, vectors)`, each of `width` columns.

    | parameter | meaning |
    |---|---|
    | `blocks` | blocks of the grid, all resident at once; a multiple of `cluster` |
    | `cluster` | blocks that share a row and exchange its partial results through distributed shared memory; 1 if left out |
    | `threads` | threads of a block |
    | `groups` | row groups of a block |
    | `rows` | rows that a group handles together, in one packed reduction |
    | `width` | columns of one vector access |
    | `vectors` | vectors of a row that one thread owns |
    | `loader` | `direct`: rows are loaded to registers; `async_copy`: each thread copies what it will read into a ring in shared memory; `bulk_copy`: one thread of a group copies whole rows into the ring |
    | `stages` | stages of the ring; 1 for `direct` |
    | `keep` | where row values wait for the next level: `registers` keeps what is needed later, `shared` reads the inputs again from the ring and computes it again |
    | `params` | where per-column inputs stay: `registers` or `shared` |
    | `finish` | `plain`: a second kernel adds the partial results; `dependent`: so that its launch overlaps the end of the first kernel; `grid_barrier`: the first kernel does, after all its blocks have met; `plain` if left out |
    | `finish_blocks`, `finish_threads` | `finish_threads` threads add the partial results of 32 columns in a fixed order, `finish_blocks` times; 0 blocks if the segment has no column reduction |
    | `shared_bytes` | dynamic shared memory of a block |

    Example:

    ```mlir
    #fusion.inner_outer<blocks = 132, cluster = 2, threads = 320, groups = 1,
                        rows = 1, width = 4, vectors = 4, loader = bulk_copy,
                        stages = 2, keep = registers, params = registers,
                        finish = dependent, finish_blocks = 320,
                        finish_threads = 256, shared_bytes = 116224>
    ```
  }];
  let parameters = (ins
    "unsigned":$blocks, DefaultValuedParameter<"unsigned", "1">:$cluster,
    "unsigned":$threads, "unsigned":$groups,
    "unsigned":$rows, "unsigned":$width, "unsigned":$vectors,
    EnumParameter<Fusion_Loader>:$loader, "unsigned":$stages,
    EnumParameter<Fusion_Residency>:$keep,
    EnumParameter<Fusion_Residency>:$params,
    Fusion_FinishParameter:$finish,
    "unsigned":$finish_blocks, "unsigned":$finish_threads,
    "uint64_t":$shared_bytes);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Threads of a block that share one row.
    unsigned getThreadsPerRow() const { return getThreads() / getGroups(); }
    /// Rows that a cluster handles in one iteration.
    unsigned getRowsPerTile() const { return getGroups() * getRows(); }
    /// The number of clusters: so many partial results has each column.
    unsigned getClusters() const { return getBlocks() / getCluster(); }
  }];
}

#endif // FUSION_ATTRS_TD

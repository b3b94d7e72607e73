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
include "FusionDialect/IR/TileSchedules.td"

def Fusion_InnerOuterScheduleAttr
    : AttrDef<Fusion_Dialect, "InnerOuterSchedule",
              [DeclareAttrInterfaceMethods<Fusion_ScheduleAttrInterface>]> {
  let mnemonic = "inner_outer";
  let summary = "The complete schedule of an inner-outer persistent kernel";
  let description = [{
    A block stays on its multiprocessor and walks over tiles of
    `groups * rows` rows: tile i of block b holds the rows from
    `(i * blocks + b) * groups * rows`. Each of the `groups` thread groups of
    `threads / groups` threads works on `rows` rows at a time. Thread t of a
    group owns the columns of the vectors `v * (threads / groups) + t` for v in
    `[0, vectors)`, each of `width` columns.

    | parameter | meaning |
    |---|---|
    | `blocks` | blocks of the grid, all resident at once |
    | `threads` | threads of a block |
    | `groups` | row groups of a block |
    | `rows` | rows that a group handles together, in one packed reduction |
    | `width` | columns of one vector access |
    | `vectors` | vectors of a row that one thread owns |
    | `loader` | `direct`: rows are loaded to registers; `async_copy`: rows arrive in a ring in shared memory |
    | `stages` | stages of the ring; 1 for `direct` |
    | `keep` | where row values wait for the next level: `registers` keeps what is needed later, `shared` reads the inputs again from the ring and computes it again |
    | `params` | where per-column inputs stay: `registers` or `shared` |
    | `finish_blocks`, `finish_threads` | the kernel that adds the `blocks` partial results of each column, in a fixed order; 0 blocks if the segment has no column reduction |
    | `shared_bytes` | dynamic shared memory of a block |

    Example:

    ```mlir
    #fusion.inner_outer<blocks = 132, threads = 512, groups = 1, rows = 1,
                        width = 4, vectors = 5, loader = async_copy, stages = 2,
                        keep = registers, params = shared, finish_blocks = 640,
                        finish_threads = 256, shared_bytes = 205056>
    ```
  }];
  let parameters = (ins
    "unsigned":$blocks, "unsigned":$threads, "unsigned":$groups,
    "unsigned":$rows, "unsigned":$width, "unsigned":$vectors,
    EnumParameter<Fusion_Loader>:$loader, "unsigned":$stages,
    EnumParameter<Fusion_Residency>:$keep,
    EnumParameter<Fusion_Residency>:$params,
    "unsigned":$finish_blocks, "unsigned":$finish_threads,
    "uint64_t":$shared_bytes);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Threads that share one row.
    unsigned getThreadsPerRow() const { return getThreads() / getGroups(); }
    /// Rows that a block handles in one iteration.
    unsigned getRowsPerTile() const { return getGroups() * getRows(); }
  }];
}

#endif // FUSION_ATTRS_TD

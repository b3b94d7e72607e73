//===- TileSchedules.td - Schedules of kernels over tiles --*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TILE_SCHEDULES_TD
#define FUSION_TILE_SCHEDULES_TD

include "mlir/IR/AttrTypeBase.td"
include "FusionDialect/IR/FusionDialect.td"
include "FusionDialect/IR/FusionEnums.td"
include "FusionDialect/IR/FusionInterfaces.td"

def Fusion_PointwiseScheduleAttr
    : AttrDef<Fusion_Dialect, "PointwiseSchedule",
              [DeclareAttrInterfaceMethods<Fusion_ScheduleAttrInterface>]> {
  let mnemonic = "pointwise";
  let summary = "The complete schedule of a pointwise kernel";
  let description = [{
    The points of the space are numbered as its loops lie in memory. Thread t of
    block b works on the runs of `width` points numbered
    `(b * vectors + v) * threads + t` for v in `[0, vectors)`, and ends; the
    points behind the last whole run are left to threads of the last block, one
    each.

    | parameter | meaning |
    |---|---|
    | `blocks` | blocks of the grid; 0 if the space is empty: nothing is launched. Where only the launch knows the outermost extent, those for an extent of 4096; as many as it needs are launched |
    | `threads` | threads of a block |
    | `width` | points of one vector access; with a dynamic extent it divides the product of the others |
    | `vectors` | runs of one thread, all loaded before the first is stored |

    Example:

    ```mlir
    #fusion.pointwise<blocks = 32768, threads = 256, width = 8, vectors = 1>
    ```
  }];
  let parameters = (ins "unsigned":$blocks, "unsigned":$threads,
                        "unsigned":$width, "unsigned":$vectors);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Fusion_TransposeScheduleAttr
    : AttrDef<Fusion_Dialect, "TransposeSchedule",
              [DeclareAttrInterfaceMethods<Fusion_ScheduleAttrInterface>]> {
  let mnemonic = "transpose";
  let summary = "The complete schedule of a transpose through shared memory";
  let description = [{
    Two loops change places: the results are contiguous along one, inputs along
    the other. A block moves one square of `tile` by `tile` elements of each
    such input: it reads along the input's contiguous loop, turns squares of
    `width` by `width` elements in registers, writes them to shared memory, and
    reads, computes and stores along the contiguous loop of the results. Blocks
    that follow one another stand side by side along the latter.

    | parameter | meaning |
    |---|---|
    | `blocks` | blocks of the grid; 0 if the space is empty: nothing is launched |
    | `threads` | threads of a block |
    | `tile` | elements of one side of a block's square; `width` times a power of two of at least 8 |
    | `width` | elements of one side of a square in registers: one access of shared memory |
    | `read_width`, `write_width` | elements of one access of the inputs, and of the results; at most `width` |
    | `shared_bytes` | dynamic shared memory of a block: a square of each input that is turned |

    Example:

    ```mlir
    #fusion.transpose<blocks = 4096, threads = 256, tile = 128, width = 8,
                      read_width = 8, write_width = 8, shared_bytes = 32768>
    ```
  }];
  let parameters = (ins "unsigned":$blocks, "unsigned":$threads,
                        "unsigned":$tile, "unsigned":$width,
                        "unsigned":$read_width, "unsigned":$write_width,
                        "uint64_t":$shared_bytes);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Fusion_OuterReductionScheduleAttr
    : AttrDef<Fusion_Dialect, "OuterReductionSchedule",
              [DeclareAttrInterfaceMethods<Fusion_ScheduleAttrInterface>]> {
  let mnemonic = "outer_reduction";
  let summary = "The complete schedule of a reduction over outer loops";
  let description = [{
    The kept loops, which hold the innermost one, are columns, the reduced loops
    rows. The threads of a block form `threads / lanes` rows of `lanes` threads;
    a thread owns `width` columns and `unroll` rows at a time. Block b works on
    strip `b / splits` of `lanes * width` columns, and of the tiles of
    `threads / lanes * unroll` rows on those numbered `b % splits`,
    `b % splits + splits`, ....

    | parameter | meaning |
    |---|---|
    | `blocks` | blocks of the grid: strips times `splits` |
    | `threads` | threads of a block |
    | `lanes` | threads side by side along the columns; a power of two |
    | `width` | columns of one vector access |
    | `unroll` | rows that a thread loads before it adds the first |
    | `splits` | blocks that share a strip, each with partial results |
    | `finish` | how the partial results of several splits become totals: `plain`, `dependent` or `grid_barrier` |
    | `finish_blocks`, `finish_threads` | the kernel that adds the partial results of 32 columns a block, in a fixed order; 0 blocks for one split |
    | `shared_bytes` | dynamic shared memory of a block |

    Example:

    ```mlir
    #fusion.outer_reduction<blocks = 512, threads = 256, lanes = 64, width = 8,
                            unroll = 8, splits = 64, finish = dependent,
                            finish_blocks = 128, finish_threads = 256,
                            shared_bytes = 8192>
    ```
  }];
  let parameters = (ins "unsigned":$blocks, "unsigned":$threads,
                        "unsigned":$lanes, "unsigned":$width,
                        "unsigned":$unroll, "unsigned":$splits,
                        EnumParameter<Fusion_FinishMode>:$finish,
                        "unsigned":$finish_blocks, "unsigned":$finish_threads,
                        "uint64_t":$shared_bytes);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Threads of a block that work on the same columns.
    unsigned getThreadRows() const { return getThreads() / getLanes(); }
    /// Rows that a block handles in one iteration.
    unsigned getRowsPerTile() const { return getThreadRows() * getUnroll(); }
    /// Columns of a block.
    unsigned getColumnsPerBlock() const { return getLanes() * getWidth(); }
  }];
}

def Fusion_SplitReductionScheduleAttr
    : AttrDef<Fusion_Dialect, "SplitReductionSchedule",
              [DeclareAttrInterfaceMethods<Fusion_ScheduleAttrInterface>]> {
  let mnemonic = "split_reduction";
  let summary = "The complete schedule of a reduction that blocks share";
  let description = [{
    The kept loops, if there are any, are rows, the reduced loops, which hold
    the innermost one, columns. Block b works on row `b / splits`: on the runs
    of `threads * vectors` tiles of `width` columns numbered `b % splits`,
    `b % splits + splits`, ....

    | parameter | meaning |
    |---|---|
    | `blocks` | blocks of the grid: rows times `splits` |
    | `threads` | threads of a block |
    | `width` | columns of one vector access |
    | `vectors` | tiles that a thread loads before it adds the first |
    | `splits` | blocks that share a row, each with partial results |
    | `finish` | how the partial results of the splits become totals: `plain`, `dependent` or `grid_barrier` |
    | `finish_blocks`, `finish_threads` | the kernel that adds the partial results of a row with each of its warps, in a fixed order; 0 blocks for one split |

    Example:

    ```mlir
    #fusion.split_reduction<blocks = 528, threads = 512, width = 8, vectors = 4,
                            splits = 528, finish = dependent, finish_blocks = 1,
                            finish_threads = 32>
    ```
  }];
  let parameters = (ins "unsigned":$blocks, "unsigned":$threads,
                        "unsigned":$width, "unsigned":$vectors,
                        "unsigned":$splits,
                        EnumParameter<Fusion_FinishMode>:$finish,
                        "unsigned":$finish_blocks, "unsigned":$finish_threads);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Fusion_OuterPersistentScheduleAttr
    : AttrDef<Fusion_Dialect, "OuterPersistentSchedule",
              [DeclareAttrInterfaceMethods<Fusion_ScheduleAttrInterface>]> {
  let mnemonic = "outer_persistent";
  let summary = "The complete schedule of a kernel that keeps columns on chip";
  let description = [{
    The kept loops, which hold the innermost one, are columns, the reduced loops
    rows. A block reads a strip of `lanes * width` columns once and has all its
    rows: the threads form `threads / lanes` rows of `lanes` threads, and thread
    row y owns the rows y, y + threads / lanes, ..., `rows` of them.

    | parameter | meaning |
    |---|---|
    | `blocks` | blocks of the grid: strips |
    | `threads` | threads of a block |
    | `lanes` | threads side by side along the columns; a power of two |
    | `width` | columns of one vector access |
    | `rows` | rows of one thread |
    | `shared_bytes` | dynamic shared memory of a block |

    Example:

    ```mlir
    #fusion.outer_persistent<blocks = 128, threads = 512, lanes = 8, width = 4,
                             rows = 8, shared_bytes = 8192>
    ```
  }];
  let parameters = (ins "unsigned":$blocks, "unsigned":$threads,
                        "unsigned":$lanes, "unsigned":$width, "unsigned":$rows,
                        "uint64_t":$shared_bytes);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Threads of a block that work on the same columns.
    unsigned getThreadRows() const { return getThreads() / getLanes(); }
    /// Columns of a block.
    unsigned getColumnsPerBlock() const { return getLanes() * getWidth(); }
  }];
}

#endif // FUSION_TILE_SCHEDULES_TD

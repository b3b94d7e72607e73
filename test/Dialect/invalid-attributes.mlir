// Every way in which a schedule attribute can be wrong.
// RUN: fusion-opt %s -split-input-file -verify-diagnostics

// Each case changes one parameter of this valid one.
#valid = #fusion.inner_outer<blocks = 132, threads = 512, groups = 2, rows = 1, width = 4, vectors = 5, loader = async_copy, stages = 2, keep = shared, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056>

// -----

// expected-error@+1 {{expected positive counts of blocks, threads, groups, rows, width, vectors and stages}}
#zero_blocks = #fusion.inner_outer<blocks = 0, threads = 512, groups = 2, rows = 1, width = 4, vectors = 5, loader = async_copy, stages = 2, keep = shared, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056>

// -----

// expected-error@+1 {{expected positive counts of blocks, threads, groups, rows, width, vectors and stages}}
#zero_groups = #fusion.inner_outer<blocks = 132, threads = 512, groups = 0, rows = 1, width = 4, vectors = 5, loader = async_copy, stages = 2, keep = shared, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056>

// -----

// expected-error@+1 {{expected groups to divide threads, but got 3 and 512}}
#groups = #fusion.inner_outer<blocks = 132, threads = 512, groups = 3, rows = 1, width = 4, vectors = 5, loader = async_copy, stages = 2, keep = shared, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056>

// -----

// expected-error@+1 {{expected a group of whole warps or of a power of two below 32 threads, but got 48 threads}}
#part_of_a_warp = #fusion.inner_outer<blocks = 132, threads = 480, groups = 10, rows = 1, width = 4, vectors = 5, loader = async_copy, stages = 2, keep = shared, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056>

// -----

// expected-error@+1 {{expected a group of whole warps or of a power of two below 32 threads, but got 12 threads}}
#no_power_of_two = #fusion.inner_outer<blocks = 132, threads = 96, groups = 8, rows = 1, width = 4, vectors = 5, loader = async_copy, stages = 2, keep = shared, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056>

// -----

// expected-error@+1 {{expected threads to be a multiple of 32, but got 48}}
#threads = #fusion.inner_outer<blocks = 132, threads = 48, groups = 3, rows = 1, width = 4, vectors = 5, loader = async_copy, stages = 2, keep = shared, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056>

// -----

// expected-error@+1 {{expected width to be a power of two, but got 3}}
#width = #fusion.inner_outer<blocks = 132, threads = 512, groups = 2, rows = 1, width = 3, vectors = 5, loader = async_copy, stages = 2, keep = shared, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056>

// -----

// expected-error@+1 {{expected 1 stage for the direct loader, but got 2}}
#direct_stages = #fusion.inner_outer<blocks = 132, threads = 512, groups = 2, rows = 1, width = 4, vectors = 5, loader = direct, stages = 2, keep = registers, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056>

// -----

// expected-error@+1 {{expected at least 2 stages for the async_copy loader, but got 1}}
#async_stages = #fusion.inner_outer<blocks = 132, threads = 512, groups = 2, rows = 1, width = 4, vectors = 5, loader = async_copy, stages = 1, keep = shared, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056>

// -----

// expected-error@+1 {{expected keep = registers for the direct loader: it has no ring to read again}}
#direct_keep = #fusion.inner_outer<blocks = 132, threads = 512, groups = 2, rows = 1, width = 4, vectors = 5, loader = direct, stages = 1, keep = shared, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056>

// -----

// expected-error@+1 {{expected finish_threads to be a positive multiple of 32, but got 0}}
#finish_without_threads = #fusion.inner_outer<blocks = 132, threads = 512, groups = 2, rows = 1, width = 4, vectors = 5, loader = async_copy, stages = 2, keep = shared, params = shared, finish_blocks = 640, finish_threads = 0, shared_bytes = 205056>

// -----

// expected-error@+1 {{expected finish_threads to be a positive multiple of 32, but got 100}}
#finish_threads = #fusion.inner_outer<blocks = 132, threads = 512, groups = 2, rows = 1, width = 4, vectors = 5, loader = async_copy, stages = 2, keep = shared, params = shared, finish_blocks = 640, finish_threads = 100, shared_bytes = 205056>

// -----

// expected-error@+1 {{struct is missing required parameter: threads}}
#missing = #fusion.inner_outer<blocks = 132>

// -----

// expected-error@+2 {{failed to parse Fusion_InnerOuterScheduleAttr parameter 'blocks' which is to be a `unsigned`}}
// expected-error@+1 {{integer value too large}}
#too_large = #fusion.inner_outer<blocks = 4294967296, threads = 512, groups = 2, rows = 1, width = 4, vectors = 5, loader = async_copy, stages = 2, keep = shared, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056>

// -----

// expected-error@+1 {{expected counts in [0, 2147483647], but got 4294967295}}
#negative = #fusion.inner_outer<blocks = -1, threads = 512, groups = 2, rows = 1, width = 4, vectors = 5, loader = async_copy, stages = 2, keep = shared, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056>

// -----

// expected-error@+1 {{expected counts in [0, 2147483647], but got 4294967296}}
#shared_bytes = #fusion.inner_outer<blocks = 132, threads = 512, groups = 2, rows = 1, width = 4, vectors = 5, loader = async_copy, stages = 2, keep = shared, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 4294967296>

// -----

// expected-error@+1 {{expected at most 2147483647 rows in a tile, but got 2 groups of 1073741824}}
#rows = #fusion.inner_outer<blocks = 132, threads = 512, groups = 2, rows = 1073741824, width = 4, vectors = 5, loader = async_copy, stages = 2, keep = shared, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056>

// -----

// expected-error@+2 {{expected ::mlir::fusion::Loader to be one of: direct, async_copy}}
// expected-error@+1 {{failed to parse Fusion_InnerOuterScheduleAttr parameter 'loader' which is to be a `::mlir::fusion::Loader`}}
#unknown_loader = #fusion.inner_outer<blocks = 132, threads = 512, groups = 2, rows = 1, width = 4, vectors = 5, loader = bulk, stages = 2, keep = shared, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056>

// -----

// expected-error@+1 {{duplicate or unknown struct parameter name: grid}}
#unknown_parameter = #fusion.inner_outer<grid = 132>

// -----

// expected-error@+1 {{unknown attribute `schedule` in dialect `fusion`}}
#unknown_attribute = #fusion.schedule<grid = 132>

// -----

// expected-error@+1 {{expected cluster to be a power of two, but got 3}}
#cluster_of_three = #fusion.inner_outer<blocks = 132, cluster = 3, threads = 512, groups = 2, rows = 1, width = 4, vectors = 5, loader = async_copy, stages = 2, keep = shared, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056>

// -----

// expected-error@+1 {{expected whole clusters, but got 132 blocks in clusters of 8}}
#part_of_a_cluster = #fusion.inner_outer<blocks = 132, cluster = 8, threads = 512, groups = 2, rows = 1, width = 4, vectors = 5, loader = async_copy, stages = 2, keep = shared, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056>

// -----

// expected-error@+1 {{expected groups of whole warps in a cluster, but got 16 threads}}
#cluster_of_half_warps = #fusion.inner_outer<blocks = 132, cluster = 2, threads = 64, groups = 4, rows = 1, width = 4, vectors = 5, loader = async_copy, stages = 2, keep = shared, params = shared, finish_blocks = 640, finish_threads = 256, shared_bytes = 205056>

// -----

// expected-error@+1 {{expected finish_threads that divide threads for a grid_barrier, but got 192 and 512}}
#grid_teams = #fusion.inner_outer<blocks = 132, threads = 512, groups = 2, rows = 1, width = 4, vectors = 5, loader = async_copy, stages = 2, keep = shared, params = shared, finish = grid_barrier, finish_blocks = 640, finish_threads = 192, shared_bytes = 205056>

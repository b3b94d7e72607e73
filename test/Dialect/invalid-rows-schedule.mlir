// Every way in which a #fusion.rows can be wrong.
// RUN: fusion-opt %s -split-input-file -verify-diagnostics

// Each case changes one parameter of this valid one.
#valid = #fusion.rows<kind = inner_persistent, blocks = 16384, threads = 256, groups = 2, rows = 1, width = 8, vectors = 4, traversal = resident, occupancy = 3, shared_bytes = 64>

// -----

// expected-error@+1 {{expected positive counts of threads, groups, rows, width, vectors, occupancy and cluster}}
#occupancy = #fusion.rows<kind = inner_persistent, blocks = 16384, threads = 256, groups = 2, rows = 1, width = 8, vectors = 4, traversal = resident, occupancy = 0, shared_bytes = 64>

// -----

// expected-error@+1 {{expected counts in [0, 2147483647], but got 4294967295}}
#negative = #fusion.rows<kind = inner_persistent, blocks = -1, threads = 256, groups = 2, rows = 1, width = 8, vectors = 4, traversal = resident, occupancy = 3, shared_bytes = 64>

// -----

// expected-error@+1 {{expected groups to divide threads, but got 3 and 256}}
#groups = #fusion.rows<kind = inner_persistent, blocks = 16384, threads = 256, groups = 3, rows = 1, width = 8, vectors = 4, traversal = resident, occupancy = 3, shared_bytes = 64>

// -----

// expected-error@+1 {{expected width to be a power of two, but got 6}}
#width = #fusion.rows<kind = inner_persistent, blocks = 16384, threads = 256, groups = 2, rows = 1, width = 6, vectors = 4, traversal = resident, occupancy = 3, shared_bytes = 64>

// -----

// expected-error@+1 {{expected 1 row at a time for the looped traversal, but got 2}}
#looped = #fusion.rows<kind = inner_persistent, blocks = 16384, threads = 256, groups = 2, rows = 2, width = 8, vectors = 4, traversal = looped, occupancy = 3, shared_bytes = 64>

// -----

// expected-error@+1 {{expected one group in each block of a cluster, but got 2}}
#cluster_groups = #fusion.rows<kind = inner_persistent, blocks = 16384, cluster = 2, threads = 256, groups = 2, rows = 1, width = 8, vectors = 4, traversal = resident, occupancy = 3, shared_bytes = 64>

// -----

// expected-error@+1 {{expected blocks in whole clusters of at most 32, but got 5 blocks in clusters of 2}}
#cluster_blocks = #fusion.rows<kind = inner_persistent, blocks = 5, cluster = 2, threads = 256, groups = 1, rows = 1, width = 8, vectors = 4, traversal = resident, occupancy = 3, shared_bytes = 64>

// RUN: fusion-sim-test %s --verify-diagnostics --split-input-file | FileCheck %s

// What a launch asks for, and what the kernel states.

gpu.module @extents {
  // CHECK: threads: failed
  // expected-error @+1 {{limit exceeded: expected at most 1024 threads in a block, but the launch has 1056}}
  gpu.func @threads() kernel attributes {sim.block = [33, 32], sim.args = []} {
    gpu.return
  }
  // CHECK: deep_block: failed
  // expected-error @+1 {{limit exceeded: expected a block of at most 1024x1024x64, but the launch has 1x1x65}}
  gpu.func @deep_block() kernel attributes {sim.block = [1, 1, 65], sim.args = []} {
    gpu.return
  }
  // CHECK: block: passed
  gpu.func @block() kernel attributes {sim.block = [1, 16, 64], sim.args = []} {
    gpu.return
  }
  // CHECK: tall_grid: failed
  // expected-error @+1 {{limit exceeded: expected a grid of at most 2147483647x65535x65535, but the launch has 1x65536x1}}
  gpu.func @tall_grid() kernel
      attributes {sim.grid = [1, 65536], sim.block = [1], sim.args = []} {
    gpu.return
  }
  // CHECK: wide_grid: passed
  gpu.func @wide_grid() kernel
      attributes {sim.grid = [65537], sim.block = [1], sim.args = []} {
    gpu.return
  }
}

// -----

gpu.module @stated {
  // CHECK: other_block: failed
  // expected-error @+1 {{limit exceeded: expected a block of 64x1x1, as the kernel states, but the launch has 32x1x1}}
  gpu.func @other_block() kernel
      attributes {nvvm.reqntid = array<i32: 64>, sim.block = [32], sim.args = []} {
    gpu.return
  }
  // CHECK: same_block: passed
  gpu.func @same_block() kernel
      attributes {nvvm.reqntid = array<i32: 64>, sim.block = [64], sim.args = []} {
    gpu.return
  }
  // CHECK: other_known_block: failed
  // expected-error @+1 {{limit exceeded: expected a block of 8x8x1, as the kernel states, but the launch has 64x1x1}}
  gpu.func @other_known_block() kernel
      attributes {known_block_size = array<i32: 8, 8, 1>, sim.block = [64], sim.args = []} {
    gpu.return
  }
  // CHECK: more_threads: failed
  // expected-error @+1 {{limit exceeded: expected at most 64 threads in a block, as the kernel states, but the launch has 96}}
  gpu.func @more_threads() kernel
      attributes {nvvm.maxntid = array<i32: 64>, sim.block = [96], sim.args = []} {
    gpu.return
  }
}

// RUN: fusion-opt %s --fusion-free-in-loops --split-input-file | FileCheck %s

// What an iteration keeps for itself is freed behind its last use, under any
// name; what it got from the one before, but not what the loop starts with.
// CHECK-LABEL: func.func @carried(
// CHECK-SAME: %[[X:.*]]: memref<8x4xf32>, %[[N:.*]]: index)
// CHECK: scf.for %[[I:.*]] = %[[LOWER:.*]] to %[[N]] step %{{.*}} iter_args(%[[A:.*]] = %[[X]])
// CHECK-NEXT: %[[T:.*]] = memref.alloc()
// CHECK-NEXT: memref.copy %[[A]], %[[T]]
// CHECK-NEXT: %[[OWNED:.*]] = arith.cmpi ne, %[[I]], %[[LOWER]] : index
// CHECK-NEXT: scf.if %[[OWNED]] {
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[B:.*]] = memref.alloc()
// CHECK-NEXT: %[[V:.*]] = memref.collapse_shape %[[T]]
// CHECK-NEXT: %[[W:.*]] = memref.expand_shape %[[V]]
// CHECK-NEXT: memref.copy %[[W]], %[[B]]
// CHECK-NEXT: memref.dealloc %[[T]]
// CHECK-NEXT: scf.yield %[[B]]
func.func @carried(%x: memref<8x4xf32>, %n: index) -> memref<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<8x4xf32>) {
    %t = memref.alloc() : memref<8x4xf32>
    memref.copy %a, %t : memref<8x4xf32> to memref<8x4xf32>
    %b = memref.alloc() : memref<8x4xf32>
    %v = memref.collapse_shape %t [[0, 1]] : memref<8x4xf32> into memref<32xf32>
    %w = memref.expand_shape %v [[0, 1]] output_shape [8, 4] : memref<32xf32> into memref<8x4xf32>
    memref.copy %w, %b : memref<8x4xf32> to memref<8x4xf32>
    scf.yield %b : memref<8x4xf32>
  }
  return %r : memref<8x4xf32>
}

// -----

// The first iteration frees, too, what only the loop has. The result of a loop
// within a loop belongs to the iteration, and so does that of a condition.
// CHECK-LABEL: func.func @inner(
// CHECK: %[[START:.*]] = memref.alloc()
// CHECK: scf.for %{{.*}} iter_args(%[[A:.*]] = %[[START]])
// CHECK-NEXT: %[[Q:.*]] = scf.if
// CHECK-NEXT: %[[E:.*]] = memref.alloc()
// CHECK-NEXT: scf.yield %[[E]]
// CHECK: %[[F:.*]] = memref.alloc()
// CHECK-NEXT: memref.copy %[[A]], %[[F]]
// CHECK-NEXT: scf.yield %[[F]]
// CHECK-NEXT: }
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK-NEXT: %[[R:.*]] = scf.for %{{.*}} iter_args(%[[U:.*]] = %[[Q]])
// CHECK-NEXT: %[[G:.*]] = memref.alloc()
// CHECK-NEXT: memref.copy %[[U]], %[[G]]
// CHECK-NEXT: memref.dealloc %[[U]]
// CHECK-NEXT: scf.yield %[[G]]
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[R]]
func.func @inner(%n: index, %c: i1) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = memref.alloc() : memref<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %start) -> (memref<8xf32>) {
    %q = scf.if %c -> (memref<8xf32>) {
      %e = memref.alloc() : memref<8xf32>
      scf.yield %e : memref<8xf32>
    } else {
      %f = memref.alloc() : memref<8xf32>
      memref.copy %a, %f : memref<8xf32> to memref<8xf32>
      scf.yield %f : memref<8xf32>
    }
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%u = %q) -> (memref<8xf32>) {
      %g = memref.alloc() : memref<8xf32>
      memref.copy %u, %g : memref<8xf32> to memref<8xf32>
      scf.yield %g : memref<8xf32>
    }
    scf.yield %s : memref<8xf32>
  }
  return %r : memref<8xf32>
}

// -----

// A loop that may have no iteration gives what it starts with, which stays. One
// that has some leaves it behind.
// CHECK-LABEL: func.func @trips(
// CHECK: %[[T:.*]] = memref.alloc()
// CHECK: %[[R:.*]] = scf.for
// CHECK: memref.dealloc %[[T]]
// CHECK: %[[S:.*]] = scf.for %{{.*}} iter_args(%[[U:.*]] = %[[R]])
// CHECK: arith.cmpi ne
// CHECK: memref.dealloc %[[U]]
// CHECK: memref.copy %[[R]], %[[S]]
// CHECK-NEXT: scf.yield %[[S]]
func.func @trips(%x: memref<8xf32>, %n: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %o = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<8xf32>) {
    %t = memref.alloc() : memref<8xf32>
    %r = scf.for %j = %c0 to %c3 step %c1 iter_args(%u = %t) -> (memref<8xf32>) {
      %g = memref.alloc() : memref<8xf32>
      memref.copy %t, %g : memref<8xf32> to memref<8xf32>
      scf.yield %g : memref<8xf32>
    }
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%u = %r) -> (memref<8xf32>) {
      %g = memref.alloc() : memref<8xf32>
      memref.copy %u, %g : memref<8xf32> to memref<8xf32>
      scf.yield %g : memref<8xf32>
    }
    memref.copy %r, %s : memref<8xf32> to memref<8xf32>
    scf.yield %s : memref<8xf32>
  }
  return %o : memref<8xf32>
}

// -----

// Left alone: what stands outside of loops, what is freed already, what changes
// places, what is given twice, and what others may keep.
// CHECK-LABEL: func.func @left(
// CHECK: memref.alloc
// CHECK: scf.for
// CHECK: %[[W:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: memref.dealloc %[[W]]
// CHECK-NOT: memref.dealloc
func.func private @keep(memref<8xf32>)
func.func private @id(%x: memref<8xf32>) -> memref<8xf32> {
  return %x : memref<8xf32>
}
func.func @left(%x: memref<8xf32>, %y: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %outside = memref.alloc() : memref<8xf32>
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y, %c = %x, %d = %x) -> (memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>) {
    %w = memref.alloc() : memref<4xf32>
    memref.dealloc %w : memref<4xf32>
    %swapped = memref.alloc() : memref<8xf32>
    %twice = memref.alloc() : memref<8xf32>
    %kept = memref.alloc() : memref<8xf32>
    func.call @keep(%kept) : (memref<8xf32>) -> ()
    %same = func.call @id(%outside) : (memref<8xf32>) -> memref<8xf32>
    memref.copy %same, %swapped : memref<8xf32> to memref<8xf32>
    scf.yield %b, %swapped, %twice, %twice : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>
  }
  return
}

// -----

// A function that returns what it made gives it to the iteration.
// CHECK-LABEL: func.func @called(
// CHECK: scf.for
// CHECK-NEXT: %[[T:.*]] = func.call @make
// CHECK-NEXT: memref.copy
// CHECK-NEXT: memref.dealloc %[[T]]
func.func private @make() -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  return %a : memref<8xf32>
}
func.func @called(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = func.call @make() : () -> memref<8xf32>
    memref.copy %t, %x : memref<8xf32> to memref<8xf32>
  }
  return
}

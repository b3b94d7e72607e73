// Which function runs when none, or the wrong one, is named.

// RUN: %no-gpu %status 2 fusion-runner %s 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: error: {{.*}}functions.mlir: several functions are public; name one with --function: a, b
// RUN: %no-gpu fusion-runner %s --function=b | FileCheck %s
// A private function can be named too.
// RUN: %no-gpu fusion-runner %s --function=c | FileCheck %s
// CHECK: device: sim
// Functions without tensors mean the same at every stage: they are their own
// reference. Without results nothing can be wrong.
// RUN: %no-gpu fusion-runner %s --function=b --verify | FileCheck %s --check-prefix=NOTHING
// NOTHING: no results to verify
// RUN: %no-gpu fusion-runner %s --function=twice --verify | FileCheck %s --check-prefix=SCALAR
// SCALAR: result 0: passed
// RUN: %no-gpu fusion-runner %s --function=twice --device=ref | FileCheck %s --check-prefix=REF
// REF: device: ref
// RUN: echo "module {}" | %status 2 fusion-runner - 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: -: expected a public func.func with a body

func.func @a() { return }
func.func @b() { return }
func.func private @c() { return }
func.func private @declared()
func.func private @twice(%x: f32) -> f32 {
  %r = arith.addf %x, %x : f32
  return %r : f32
}

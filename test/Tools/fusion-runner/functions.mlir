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
// The kernels may all be in the functions that it calls.
// RUN: %no-gpu fusion-runner %s --function=calls --verify --print-plan | FileCheck %s --check-prefix=CALLS
// CALLS: plan: 0 segments, 1 launches, 2 operations outside segments
// CALLS: outside segments: func.call at
// CALLS: outside segments: func.call at
// CALLS: result 0: passed
// RUN: %no-gpu fusion-runner %s --function=calls_any --shape=0=3x256 --verify | FileCheck %s --check-prefix=ANY
// ANY: result 0: passed
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
func.func private @exp(%x: tensor<8x256xf32>) -> tensor<8x256xf32> {
  %e = math.exp %x : tensor<8x256xf32>
  return %e : tensor<8x256xf32>
}
func.func private @calls(%x: tensor<8x256xf32>) -> tensor<8x256xf32> {
  %a = call @exp(%x) : (tensor<8x256xf32>) -> tensor<8x256xf32>
  %b = call @exp(%a) : (tensor<8x256xf32>) -> tensor<8x256xf32>
  return %b : tensor<8x256xf32>
}
func.func private @exp_any(%x: tensor<?x256xf32>) -> tensor<?x256xf32> {
  %e = math.exp %x : tensor<?x256xf32>
  return %e : tensor<?x256xf32>
}
func.func private @calls_any(%x: tensor<?x256xf32>) -> tensor<?x256xf32> {
  %a = call @exp_any(%x) : (tensor<?x256xf32>) -> tensor<?x256xf32>
  %b = call @exp_any(%a) : (tensor<?x256xf32>) -> tensor<?x256xf32>
  return %b : tensor<?x256xf32>
}

// Which function runs when none, or the wrong one, is named.

// RUN: %no-gpu %status 2 fusion-runner %s 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: error: {{.*}}functions.mlir: several functions are public; name one with --function: a, b
// RUN: %no-gpu fusion-runner %s --function=b | FileCheck %s
// A private function can be named too.
// RUN: %no-gpu fusion-runner %s --function=c | FileCheck %s
// CHECK: compiled, not executed
// RUN: echo "module {}" | %status 2 fusion-runner - 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: -: expected a public func.func with a body

func.func @a() { return }
func.func @b() { return }
func.func private @c() { return }
func.func private @declared()

// Every way in which a launch can be wrong.
// RUN: fusion-opt %s -split-input-file -verify-diagnostics

func.func @mode(%n: index) {
  // expected-error@+1 {{containing one of the following enum values for attribute 'mode' [plain, cooperative, dependent]}}
  fusion.launch_func graph @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}

// -----

func.func @cluster(%n: index) {
  // expected-error@+1 {{'fusion.launch_func' op expected 3 sizes in clusters, but got 2}}
  fusion.launch_func plain @m::@k clusters in (%n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}

// -----

func.func @grid(%n: index) {
  // expected-error@+1 {{'fusion.launch_func' op expected 3 sizes in blocks, but got 1}}
  fusion.launch_func plain @m::@k blocks in (%n) threads in (%n, %n, %n)
  return
}

// -----

func.func @block(%n: index) {
  // expected-error@+1 {{'fusion.launch_func' op expected 3 sizes in threads, but got 4}}
  fusion.launch_func plain @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n, %n)
  return
}

// -----

func.func @flat(%n: index) {
  // expected-error@+1 {{'fusion.launch_func' op expected a kernel in a module, @module::@kernel, but got @k}}
  fusion.launch_func plain @k blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}

// -----

func.func @k() {
  return
}
func.func @no_module(%n: index) {
  // expected-error@+1 {{'fusion.launch_func' op expected a gpu.module or gpu.binary named "m"}}
  fusion.launch_func plain @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}

// -----

gpu.module @m {
}
func.func @no_kernel(%n: index) {
  // expected-error@+1 {{'fusion.launch_func' op expected a kernel @m::@k}}
  fusion.launch_func plain @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}

// -----

gpu.module @m {
  gpu.func @k() {
    gpu.return
  }
}
func.func @device_function(%n: index) {
  // expected-error@+1 {{'fusion.launch_func' op expected a kernel, but @m::@k has no 'gpu.kernel'}}
  fusion.launch_func plain @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}

// -----

gpu.module @m {
  gpu.func @k(%x: memref<4xf32>) kernel {
    gpu.return
  }
}
func.func @arguments(%n: index) {
  // expected-error@+1 {{'fusion.launch_func' op expected arguments of types ('memref<4xf32>'), but got ('index')}}
  fusion.launch_func plain @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index)
  return
}

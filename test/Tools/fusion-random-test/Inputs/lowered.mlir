module attributes {gpu.container_module} {
  func.func @f(%x: memref<32xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @k::@fill blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<32xf32>)
    return
  }
  gpu.module @k {
    gpu.func @fill(%x: memref<32xf32>) kernel {
      %t = gpu.thread_id x
      %one = arith.constant 1.0 : f32
      memref.store %one, %x[%t] : memref<32xf32>
      gpu.return
    }
  }
}

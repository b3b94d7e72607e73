// Reports about values: what overflows, what cancels. Each program is run on the simulator
// with values that show the difference, on fewer rows and columns.
// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s
// DEFINE: %{npy} = %{python} %S/../Tools/fusion-runner/Inputs/npy.py
// DEFINE: %{run} = fusion-runner %t.out/small.mlir --device=sim --verify
// RUN: rm -rf %t.out && mkdir %t.out
// RUN: sed -e 's/4096x2048/3x8/g' -e 's/<4096x/<3x/g' -e 's/<2048x/<8x/g' %s > %t.out/small.mlir

// PyTorch 168126, 177163, 183009: the variance of a layer norm in bf16, from the deviations
// as they are written, in f32; of the mean of the squares less that of 1000 no digit would
// be right. Equal elements deviate by nothing: beta is the result, exactly.
// 2 (4096 2048 2) + 2048 4 = 33562624 bytes: two reductions of a row in one kernel.
// RUN: %{run} --function=layer_norm_bf16 --input=0=const:1000 --input=1=const:0.5 --rtol=0
// RUN: %{run} --function=layer_norm_bf16
// CHECK-LABEL: plan of @layer_norm_bf16: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 33562624 bytes, 0 of them between segments
func.func @layer_norm_bf16(%x: tensor<4096x2048xbf16>, %beta: tensor<2048xf32>) -> tensor<4096x2048xbf16> {
  %0 = arith.extf %x : tensor<4096x2048xbf16> to tensor<4096x2048xf32>
  %one = arith.constant dense<1.0> : tensor<4096x2048xf32>
  %n = fusion.reduce add %one dims = [1] : tensor<4096x2048xf32> -> tensor<4096xf32>
  %1 = fusion.reduce add %0 dims = [1] : tensor<4096x2048xf32> -> tensor<4096xf32>
  %mean = arith.divf %1, %n : tensor<4096xf32>
  %mb = fusion.broadcast %mean dims = [0] : tensor<4096xf32> -> tensor<4096x2048xf32>
  %d = arith.subf %0, %mb fastmath<contract> : tensor<4096x2048xf32>
  %q = arith.mulf %d, %d fastmath<contract> : tensor<4096x2048xf32>
  %2 = fusion.reduce add %q dims = [1] fastmath<contract> : tensor<4096x2048xf32> -> tensor<4096xf32>
  %var = arith.divf %2, %n : tensor<4096xf32>
  %eps = arith.constant dense<1.0e-05> : tensor<4096xf32>
  %3 = arith.addf %var, %eps : tensor<4096xf32>
  %rstd = math.rsqrt %3 : tensor<4096xf32>
  %rb = fusion.broadcast %rstd dims = [0] : tensor<4096xf32> -> tensor<4096x2048xf32>
  %h = arith.mulf %d, %rb fastmath<contract> : tensor<4096x2048xf32>
  %bb = fusion.broadcast %beta dims = [1] : tensor<2048xf32> -> tensor<4096x2048xf32>
  %y = arith.addf %h, %bb fastmath<contract> : tensor<4096x2048xf32>
  %z = arith.truncf %y : tensor<4096x2048xf32> to tensor<4096x2048xbf16>
  return %z : tensor<4096x2048xbf16>
}

// TensorFlow 126893: the product of 0, 1, ..., 49. Some orders multiply the 0 by an
// overflow: 25 26 ... 49 is 9.8e38. Halves of every second pair do not, and so the kernel
// adds up: 2 3 6 7 ... 46 47 is 7.9e31. 50 4 + 4 = 204 bytes.
// RUN: %{npy} write %t.out/range.npy "<f4" "(50,)" 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49
// RUN: %{run} --function=product_of_range --input=0=%t.out/range.npy --output-dir=%t.out
// RUN: %{npy} print %t.out/result0.npy | FileCheck %s --check-prefix=RANGE
// RANGE: <f4 () 0.0
// CHECK-LABEL: plan of @product_of_range: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 204 bytes, 0 of them between segments
func.func @product_of_range(%x: tensor<50xf32>) -> tensor<f32> {
  %p = fusion.reduce mul %x dims = [0] : tensor<50xf32> -> tensor<f32>
  return %p : tensor<f32>
}

// XLA 42732, TensorFlow 123169: log(exp(x)) is not x where exp overflows, nor is
// exp(x) exp(y) then exp(x + y): without flags each stays, and gives infinity.
// 3 (4096 2048 4) = 100663296 bytes.
// RUN: %{run} --function=overflows --input=0=const:100 --output-dir=%t.out
// RUN: %{npy} print %t.out/result0.npy | FileCheck %s --check-prefix=INFINITE
// RUN: %{npy} print %t.out/result1.npy | FileCheck %s --check-prefix=INFINITE
// INFINITE: (3, 8){{( inf){24}$}}
// CHECK-LABEL: plan of @overflows: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 100663296 bytes, 0 of them between segments
func.func @overflows(%x: tensor<4096x2048xf32>) -> (tensor<4096x2048xf32>, tensor<4096x2048xf32>) {
  %e = math.exp %x : tensor<4096x2048xf32>
  %0 = math.log %e : tensor<4096x2048xf32>
  %n = arith.negf %x : tensor<4096x2048xf32>
  %f = math.exp %n : tensor<4096x2048xf32>
  %1 = arith.mulf %e, %f : tensor<4096x2048xf32>
  return %0, %1 : tensor<4096x2048xf32>, tensor<4096x2048xf32>
}

// JAX 37919: the root of a square is not the magnitude where the square overflows.
// 2 (4096 2048 4) = 67108864 bytes.
// RUN: %{run} --function=root_of_square --input=0=const:-1e30 --output-dir=%t.out
// RUN: %{npy} print %t.out/result0.npy | FileCheck %s --check-prefix=INFINITE
// CHECK-LABEL: plan of @root_of_square: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 67108864 bytes, 0 of them between segments
func.func @root_of_square(%x: tensor<4096x2048xf32>) -> tensor<4096x2048xf32> {
  %q = arith.mulf %x, %x : tensor<4096x2048xf32>
  %0 = math.sqrt %q : tensor<4096x2048xf32>
  return %0 : tensor<4096x2048xf32>
}

// XLA 41579: a x + b x with b = -a is 0 if both products are rounded, and what the rounding
// took if the compiler makes one multiplication and addition of it; without `contract` it
// may not. Two operands of 33554432 bytes and a byte for each comparison: 75497472.
// RUN: %{run} --function=cancellation --output-dir=%t.out
// RUN: %{npy} print %t.out/result0.npy | FileCheck %s --check-prefix=CANCELLED
// CANCELLED: (3, 8){{( True){24}$}}
// CHECK-LABEL: plan of @cancellation: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 75497472 bytes, 0 of them between segments
func.func @cancellation(%a: tensor<4096x2048xf32>, %x: tensor<4096x2048xf32>) -> tensor<4096x2048xi1> {
  %b = arith.negf %a : tensor<4096x2048xf32>
  %0 = arith.mulf %a, %x : tensor<4096x2048xf32>
  %1 = arith.mulf %b, %x : tensor<4096x2048xf32>
  %2 = arith.addf %0, %1 : tensor<4096x2048xf32>
  %zero = arith.constant dense<0.0> : tensor<4096x2048xf32>
  %3 = arith.cmpf oeq, %2, %zero : tensor<4096x2048xf32>
  return %3 : tensor<4096x2048xi1>
}

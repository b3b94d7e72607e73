// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// The mean loss of 4096 rows of 50257 logits; the logit of the label is picked by
// comparing an iota. The maximum, the sum of exponentials and the picked logit are
// reductions of a row, the mean one over all rows: it stays in the kernel, whose
// finish adds up. Read once: 4096 50257 2 = 411705344 bytes of logits and 4096 8 of
// labels; a row of 100 KB stays on chip. With the result 411738116 bytes, and partial
// sums of at most 4096 4 bytes, written and read: at most 32768 more.
// CHECK-LABEL: plan of @cross_entropy: {{[12] segments?}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves 411{{((73[89]|7[456][0-9]|770)[0-9]{3})}} bytes, {{(0|32768)}} of them between segments
func.func @cross_entropy(%logits: tensor<4096x50257xbf16>, %labels: tensor<4096xi64>) -> tensor<f32> {
  %0 = arith.extf %logits : tensor<4096x50257xbf16> to tensor<4096x50257xf32>
  %1 = fusion.reduce maximumf %0 dims = [1] : tensor<4096x50257xf32> -> tensor<4096xf32>
  %2 = fusion.broadcast %1 dims = [0] : tensor<4096xf32> -> tensor<4096x50257xf32>
  %3 = arith.subf %0, %2 fastmath<contract> : tensor<4096x50257xf32>
  %4 = math.exp %3 : tensor<4096x50257xf32>
  %5 = fusion.reduce add %4 dims = [1] : tensor<4096x50257xf32> -> tensor<4096xf32>
  %6 = fusion.iota : tensor<50257xi64>
  %7 = fusion.broadcast %6 dims = [1] : tensor<50257xi64> -> tensor<4096x50257xi64>
  %8 = fusion.broadcast %labels dims = [0] : tensor<4096xi64> -> tensor<4096x50257xi64>
  %9 = arith.cmpi eq, %7, %8 : tensor<4096x50257xi64>
  %10 = arith.constant dense<0.000000e+00> : tensor<4096x50257xf32>
  %11 = arith.select %9, %0, %10 : tensor<4096x50257xi1>, tensor<4096x50257xf32>
  %12 = fusion.reduce add %11 dims = [1] : tensor<4096x50257xf32> -> tensor<4096xf32>
  %13 = math.log %5 : tensor<4096xf32>
  %14 = arith.addf %13, %1 fastmath<contract> : tensor<4096xf32>
  %15 = arith.subf %14, %12 fastmath<contract> : tensor<4096xf32>
  %16 = fusion.reduce add %15 dims = [0] : tensor<4096xf32> -> tensor<f32>
  %17 = arith.constant dense<2.441406250e-04> : tensor<f32>
  %18 = arith.mulf %16, %17 fastmath<contract> : tensor<f32>
  return %18 : tensor<f32>
}

// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// nvFuser 2493: silu(x a) * (x b). Nobody schedules the products; they stay in
// order, and all that stands between and behind them is one kernel, which belongs
// to neither: it reads both products, 4096 11008 2 = 90177536 bytes each, and
// writes as much: 270532608.
// CHECK-LABEL: plan of @gated_feed_forward: 1 segment, 1 launch, 2 operations outside segments
// CHECK: reads linalg.matmul: tensor<4096x11008xbf16>, 90177536 bytes
// CHECK-NEXT: reads linalg.matmul: tensor<4096x11008xbf16>, 90177536 bytes
// CHECK-NEXT: writes result 0: tensor<4096x11008xbf16>, 90177536 bytes, to the function
// CHECK: moves 270532608 bytes, 0 of them between segments
func.func @gated_feed_forward(%x: tensor<4096x4096xbf16>, %a: tensor<4096x11008xbf16>, %b: tensor<4096x11008xbf16>) -> tensor<4096x11008xbf16> {
  %zero = arith.constant 0.000000e+00 : bf16
  %empty = tensor.empty() : tensor<4096x11008xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%empty : tensor<4096x11008xbf16>) -> tensor<4096x11008xbf16>
  %gate = linalg.matmul ins(%x, %a : tensor<4096x4096xbf16>, tensor<4096x11008xbf16>) outs(%init : tensor<4096x11008xbf16>) -> tensor<4096x11008xbf16>
  %one = arith.constant dense<1.0> : tensor<4096x11008xf32>
  %0 = arith.extf %gate : tensor<4096x11008xbf16> to tensor<4096x11008xf32>
  %1 = arith.negf %0 : tensor<4096x11008xf32>
  %2 = math.exp %1 : tensor<4096x11008xf32>
  %3 = arith.addf %2, %one : tensor<4096x11008xf32>
  %4 = arith.divf %0, %3 : tensor<4096x11008xf32>
  %up = linalg.matmul ins(%x, %b : tensor<4096x4096xbf16>, tensor<4096x11008xbf16>) outs(%init : tensor<4096x11008xbf16>) -> tensor<4096x11008xbf16>
  %5 = arith.extf %up : tensor<4096x11008xbf16> to tensor<4096x11008xf32>
  %6 = arith.mulf %4, %5 : tensor<4096x11008xf32>
  %7 = arith.truncf %6 : tensor<4096x11008xf32> to tensor<4096x11008xbf16>
  return %7 : tensor<4096x11008xbf16>
}

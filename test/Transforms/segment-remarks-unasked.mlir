// Schedulers are asked about what was not merged, for remarks, only where
// somebody reads those.
// RUN: fusion-opt %s --fusion-segment="print-statistics schedulers=outer-reduction,full-reduction" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SILENT
// RUN: fusion-opt %s --fusion-segment="print-statistics schedulers=outer-reduction,full-reduction" --remarks-filter=other -o /dev/null 2>&1 | FileCheck %s --check-prefix=SILENT
// RUN: fusion-opt %s --fusion-segment="print-statistics schedulers=outer-reduction,full-reduction" --remarks-filter-missed=fusion-segment -o /dev/null 2>&1 | FileCheck %s --check-prefix=ASKED

// SILENT: 2 segments
// SILENT: 4 matches
// ASKED: remark: [Missed] rejected
// ASKED: 2 segments
// ASKED: 6 matches
func.func @f(%x: tensor<64x64xf32>) -> (tensor<f32>, tensor<64xf32>) {
  %a = fusion.reduce add %x dims = [0, 1] : tensor<64x64xf32> -> tensor<f32>
  %b = fusion.reduce add %x dims = [0] : tensor<64x64xf32> -> tensor<64xf32>
  return %a, %b : tensor<f32>, tensor<64xf32>
}

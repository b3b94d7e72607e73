// Whether values wait in registers or are computed again is a matter of price,
// and a remark tells both.
// RUN: fusion-opt %s --fusion-segment=schedulers=inner-outer-persistent --fusion-schedule --remarks-filter=fusion-schedule --remark-policy=all 2>&1 | FileCheck %s

// CHECK: remark: [Analysis] projection | {{.*}}chosen=kept, kept={{[1-9][^,]*}}, recomputed={{[1-9].*}}
// CHECK: remark: [Analysis] projection | {{.*}}chosen=recomputed, kept="does not fit", recomputed={{[1-9].*}}
// CHECK: keep = registers
// CHECK: keep = shared
func.func @centred(%x: tensor<4096x2048xf32>) -> (tensor<4096x2048xf32>, tensor<2048xf32>) {
  %scale = arith.constant dense<4.8828125e-04> : tensor<4096xf32>
  %y = arith.mulf %x, %x : tensor<4096x2048xf32>
  %s = fusion.reduce add %y dims = [1] : tensor<4096x2048xf32> -> tensor<4096xf32>
  %m = arith.mulf %s, %scale : tensor<4096xf32>
  %mb = fusion.broadcast %m dims = [0] : tensor<4096xf32> -> tensor<4096x2048xf32>
  %d = arith.subf %y, %mb : tensor<4096x2048xf32>
  %c = fusion.reduce add %d dims = [0] : tensor<4096x2048xf32> -> tensor<2048xf32>
  return %d, %c : tensor<4096x2048xf32>, tensor<2048xf32>
}

// Six inputs of long rows: no cluster of a portable size keeps their values in
// registers, and larger ones are for what fits in no other way.
func.func @six_inputs(%a0: tensor<256x65536xbf16>, %a1: tensor<256x65536xbf16>, %a2: tensor<256x65536xbf16>, %a3: tensor<256x65536xbf16>, %a4: tensor<256x65536xbf16>, %a5: tensor<256x65536xbf16>) -> (tensor<256x65536xf32>, tensor<65536xf32>, tensor<256xf32>) {
  %e0 = arith.extf %a0 : tensor<256x65536xbf16> to tensor<256x65536xf32>
  %e1 = arith.extf %a1 : tensor<256x65536xbf16> to tensor<256x65536xf32>
  %e2 = arith.extf %a2 : tensor<256x65536xbf16> to tensor<256x65536xf32>
  %e3 = arith.extf %a3 : tensor<256x65536xbf16> to tensor<256x65536xf32>
  %e4 = arith.extf %a4 : tensor<256x65536xbf16> to tensor<256x65536xf32>
  %e5 = arith.extf %a5 : tensor<256x65536xbf16> to tensor<256x65536xf32>
  %p1 = arith.mulf %e0, %e1 fastmath<contract> : tensor<256x65536xf32>
  %p2 = arith.mulf %p1, %e2 fastmath<contract> : tensor<256x65536xf32>
  %p3 = arith.mulf %p2, %e3 fastmath<contract> : tensor<256x65536xf32>
  %p4 = arith.mulf %p3, %e4 fastmath<contract> : tensor<256x65536xf32>
  %p5 = arith.mulf %p4, %e5 fastmath<contract> : tensor<256x65536xf32>
  %s = fusion.reduce add %p5 dims = [1] fastmath<contract> : tensor<256x65536xf32> -> tensor<256xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<256xf32> -> tensor<256x65536xf32>
  %q0 = arith.addf %sb, %e0 fastmath<contract> : tensor<256x65536xf32>
  %q1 = arith.maximumf %q0, %e1 fastmath<contract> : tensor<256x65536xf32>
  %q2 = arith.mulf %q1, %e2 fastmath<contract> : tensor<256x65536xf32>
  %q3 = arith.addf %q2, %e3 fastmath<contract> : tensor<256x65536xf32>
  %q4 = arith.maximumf %q3, %e4 fastmath<contract> : tensor<256x65536xf32>
  %q5 = arith.mulf %q4, %e5 fastmath<contract> : tensor<256x65536xf32>
  %c = fusion.reduce add %q5 dims = [0] fastmath<contract> : tensor<256x65536xf32> -> tensor<65536xf32>
  return %q5, %c, %s : tensor<256x65536xf32>, tensor<65536xf32>, tensor<256xf32>
}

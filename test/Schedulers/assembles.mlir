// Kernels over tiles assemble for each generation of chips without a spilled
// register, and access memory by 16 bytes.
// REQUIRES: ptxas, libdevice
// RUN: rm -rf %t && mkdir %t %t/sm_80 %t/sm_90
// RUN: fusion-opt %s --fusion-to-ptx=chip=sm_80 | %{python} %S/../Inputs/extract-ptx.py -o %t/sm_80
// RUN: fusion-opt %s --fusion-to-ptx=chip=sm_90 | %{python} %S/../Inputs/extract-ptx.py -o %t/sm_90
// RUN: cat %t/sm_80/add_0.ptx | FileCheck %s --check-prefix=ADD
// RUN: cat %t/sm_90/turn_0.ptx | FileCheck %s --check-prefix=TURN
// RUN: cat %t/sm_80/columns_0.ptx | FileCheck %s --check-prefix=PLAIN --implicit-check-not=griddepcontrol
// RUN: cat %t/sm_90/columns_0.ptx | FileCheck %s --check-prefix=DEPENDENT
// RUN: %{python} %S/../Pipelines/Inputs/assemble.py %ptxas sm_80 %t/sm_80
// RUN: %{python} %S/../Pipelines/Inputs/assemble.py %ptxas sm_90 %t/sm_90
// RUN: %ptxas -v -arch=sm_90 %t/sm_90/turn_0.ptx -o %t/cubin 2>&1 | FileCheck %s --check-prefix=SPILL
// RUN: %ptxas -v -arch=sm_90 %t/sm_90/columns_0.ptx -o %t/cubin 2>&1 | FileCheck %s --check-prefix=SPILL
// RUN: %ptxas -v -arch=sm_90 %t/sm_90/everything_0.ptx -o %t/cubin 2>&1 | FileCheck %s --check-prefix=SPILL
// RUN: %ptxas -v -arch=sm_90 %t/sm_90/norm_0.ptx -o %t/cubin 2>&1 | FileCheck %s --check-prefix=SPILL

// SPILL: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// SPILL-NOT: {{[1-9][0-9]*}} bytes spill

// ADD: .entry add_0_points(
// ADD-COUNT-2: ld.global.nc.v4.b32
// ADD: st.global.v4.b32
func.func @add(%x: tensor<1024x4096xbf16>, %y: tensor<1024x4096xbf16>) -> tensor<1024x4096xbf16> {
  %s = arith.addf %x, %y : tensor<1024x4096xbf16>
  return %s : tensor<1024x4096xbf16>
}

// TURN: .entry turn_0_tiles(
// TURN-COUNT-8: ld.global.nc.v4.b32
// TURN-COUNT-8: st.shared.v4.b32
// TURN: bar.sync
// TURN-COUNT-8: st.global.v4.b32
func.func @turn(%x: tensor<1024x4096xbf16>) -> tensor<4096x1024xbf16> {
  %s = fusion.transpose %x permutation = [1, 0] : tensor<1024x4096xbf16> -> tensor<4096x1024xbf16>
  return %s : tensor<4096x1024xbf16>
}

// PLAIN: .entry columns_0_columns(
// PLAIN-COUNT-8: ld.global.nc.v4.b32
// PLAIN: .entry columns_0_finish(
// DEPENDENT: .entry columns_0_columns(
// DEPENDENT: griddepcontrol.launch_dependents
// DEPENDENT: .entry columns_0_finish(
// DEPENDENT: griddepcontrol.wait
// DEPENDENT-NOT: ld.global.nc
// DEPENDENT: ld.global.b32
func.func @columns(%x: tensor<4096x1024xbf16>) -> tensor<1024xf32> {
  %r = fusion.reduce add %x dims = [0] : tensor<4096x1024xbf16> -> tensor<1024xf32>
  return %r : tensor<1024xf32>
}

func.func @everything(%x: tensor<4096x1024xbf16>) -> tensor<f32> {
  %r = fusion.reduce add %x dims = [0, 1] : tensor<4096x1024xbf16> -> tensor<f32>
  return %r : tensor<f32>
}

func.func @norm(%x: tensor<512x4096xbf16>) -> tensor<512x4096xbf16> {
  %e = arith.extf %x : tensor<512x4096xbf16> to tensor<512x4096xf32>
  %s = fusion.reduce add %e dims = [0] : tensor<512x4096xf32> -> tensor<4096xf32>
  %n = arith.constant dense<0.001953125> : tensor<4096xf32>
  %m = arith.mulf %s, %n : tensor<4096xf32>
  %mb = fusion.broadcast %m dims = [1] : tensor<4096xf32> -> tensor<512x4096xf32>
  %d = arith.subf %e, %mb : tensor<512x4096xf32>
  %q = arith.mulf %d, %d : tensor<512x4096xf32>
  %v = fusion.reduce add %q dims = [0] : tensor<512x4096xf32> -> tensor<4096xf32>
  %vn = arith.mulf %v, %n : tensor<4096xf32>
  %r = math.rsqrt %vn : tensor<4096xf32>
  %rb = fusion.broadcast %r dims = [1] : tensor<4096xf32> -> tensor<512x4096xf32>
  %y = arith.mulf %d, %rb : tensor<512x4096xf32>
  %t = arith.truncf %y : tensor<512x4096xf32> to tensor<512x4096xbf16>
  return %t : tensor<512x4096xbf16>
}

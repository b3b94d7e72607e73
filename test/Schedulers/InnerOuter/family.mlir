// Programs with rows and columns in one pass: one segment each, the values of
// the reference.
// RUN: fusion-opt %s --fusion-segment="schedulers=inner-outer-persistent" | FileCheck %s
// RUN: fusion-runner %s --function=rmsnorm_residual --device=sim --verify | FileCheck %s --check-prefix=VALUES
// RUN: fusion-runner %s --function=layernorm_dropout --device=sim --verify | FileCheck %s --check-prefix=VALUES
// RUN: fusion-runner %s --function=gelu_bias --device=sim --verify | FileCheck %s --check-prefix=VALUES
// RUN: fusion-runner %s --function=swiglu_bias --device=sim --verify | FileCheck %s --check-prefix=VALUES
// RUN: fusion-runner %s --function=column_statistics --device=sim --verify | FileCheck %s --check-prefix=VALUES
// RUN: fusion-runner %s --function=two_weights --device=sim --verify | FileCheck %s --check-prefix=VALUES
// RUN: fusion-runner %s --function=amax --device=sim --verify | FileCheck %s --check-prefix=VALUES

// VALUES: device: sim
// VALUES-NOT: failed
// VALUES: result {{[0-9]}}: passed
// VALUES-NOT: failed

// The gradient of the residual stream is added to that of the norm.
// CHECK-LABEL: func.func @rmsnorm_residual
// CHECK: fusion.segment "inner-outer-persistent"
// CHECK-NOT: fusion.segment
func.func @rmsnorm_residual(
    %dy: tensor<37x200xbf16>, %x: tensor<37x200xbf16>, %residual: tensor<37x200xbf16>,
    %rstd: tensor<37xf32>, %gamma: tensor<200xbf16>) -> (tensor<37x200xbf16>, tensor<200xbf16>) {
  %inv_n = arith.constant dense<5.0e-03> : tensor<37xf32>
  %dy_f = arith.extf %dy : tensor<37x200xbf16> to tensor<37x200xf32>
  %x_f = arith.extf %x : tensor<37x200xbf16> to tensor<37x200xf32>
  %residual_f = arith.extf %residual : tensor<37x200xbf16> to tensor<37x200xf32>
  %gamma_f = arith.extf %gamma : tensor<200xbf16> to tensor<200xf32>
  %rstd_b = fusion.broadcast %rstd dims = [0] : tensor<37xf32> -> tensor<37x200xf32>
  %gamma_b = fusion.broadcast %gamma_f dims = [1] : tensor<200xf32> -> tensor<37x200xf32>
  %xhat = arith.mulf %x_f, %rstd_b : tensor<37x200xf32>
  %wdy = arith.mulf %dy_f, %gamma_b : tensor<37x200xf32>
  %wdy_xhat = arith.mulf %wdy, %xhat : tensor<37x200xf32>
  %s = fusion.reduce add %wdy_xhat dims = [1] : tensor<37x200xf32> -> tensor<37xf32>
  %c = arith.mulf %s, %inv_n : tensor<37xf32>
  %c_b = fusion.broadcast %c dims = [0] : tensor<37xf32> -> tensor<37x200xf32>
  %proj = arith.mulf %xhat, %c_b : tensor<37x200xf32>
  %d = arith.subf %wdy, %proj : tensor<37x200xf32>
  %dn = arith.mulf %d, %rstd_b : tensor<37x200xf32>
  %sum = arith.addf %dn, %residual_f : tensor<37x200xf32>
  %dx = arith.truncf %sum : tensor<37x200xf32> to tensor<37x200xbf16>
  %dy_xhat = arith.mulf %dy_f, %xhat : tensor<37x200xf32>
  %dgamma_f = fusion.reduce add %dy_xhat dims = [0] : tensor<37x200xf32> -> tensor<200xf32>
  %dgamma = arith.truncf %dgamma_f : tensor<200xf32> to tensor<200xbf16>
  return %dx, %dgamma : tensor<37x200xbf16>, tensor<200xbf16>
}

// The norm's input is dropout(h) + residual: its gradient goes to both, masked
// and scaled for the one. The mask is a byte an element.
// CHECK-LABEL: func.func @layernorm_dropout
// CHECK: fusion.segment "inner-outer-persistent"
// CHECK-NOT: fusion.segment
func.func @layernorm_dropout(
    %dy: tensor<37x208xf32>, %x: tensor<37x208xf32>, %mask: tensor<37x208xi8>,
    %mean: tensor<37xf32>, %rstd: tensor<37xf32>, %gamma: tensor<208xf32>)
    -> (tensor<37x208xf32>, tensor<37x208xf32>, tensor<208xf32>, tensor<208xf32>) {
  %inv_n = arith.constant dense<4.807692e-03> : tensor<37xf32>
  %zero = arith.constant dense<0> : tensor<37x208xi8>
  %nothing = arith.constant dense<0.0> : tensor<37x208xf32>
  %scale = arith.constant dense<1.25> : tensor<37x208xf32>
  %mean_b = fusion.broadcast %mean dims = [0] : tensor<37xf32> -> tensor<37x208xf32>
  %rstd_b = fusion.broadcast %rstd dims = [0] : tensor<37xf32> -> tensor<37x208xf32>
  %gamma_b = fusion.broadcast %gamma dims = [1] : tensor<208xf32> -> tensor<37x208xf32>
  %centred = arith.subf %x, %mean_b : tensor<37x208xf32>
  %xhat = arith.mulf %centred, %rstd_b : tensor<37x208xf32>
  %wdy = arith.mulf %dy, %gamma_b : tensor<37x208xf32>
  %wdy_xhat = arith.mulf %wdy, %xhat : tensor<37x208xf32>
  %s1 = fusion.reduce add %wdy_xhat dims = [1] : tensor<37x208xf32> -> tensor<37xf32>
  %s2 = fusion.reduce add %wdy dims = [1] : tensor<37x208xf32> -> tensor<37xf32>
  %c1 = arith.mulf %s1, %inv_n : tensor<37xf32>
  %c2 = arith.mulf %s2, %inv_n : tensor<37xf32>
  %c1_b = fusion.broadcast %c1 dims = [0] : tensor<37xf32> -> tensor<37x208xf32>
  %c2_b = fusion.broadcast %c2 dims = [0] : tensor<37xf32> -> tensor<37x208xf32>
  %proj = arith.mulf %xhat, %c1_b : tensor<37x208xf32>
  %d0 = arith.subf %wdy, %proj : tensor<37x208xf32>
  %d1 = arith.subf %d0, %c2_b : tensor<37x208xf32>
  %dresidual = arith.mulf %d1, %rstd_b : tensor<37x208xf32>
  %kept = arith.cmpi ne, %mask, %zero : tensor<37x208xi8>
  %scaled = arith.mulf %dresidual, %scale : tensor<37x208xf32>
  %dh = arith.select %kept, %scaled, %nothing : tensor<37x208xi1>, tensor<37x208xf32>
  %dy_xhat = arith.mulf %dy, %xhat : tensor<37x208xf32>
  %dgamma = fusion.reduce add %dy_xhat dims = [0] : tensor<37x208xf32> -> tensor<208xf32>
  %dbeta = fusion.reduce add %dy dims = [0] : tensor<37x208xf32> -> tensor<208xf32>
  return %dresidual, %dh, %dgamma, %dbeta : tensor<37x208xf32>, tensor<37x208xf32>, tensor<208xf32>, tensor<208xf32>
}

// The gradient of GELU (its tanh form), of the bias before it, and the row sums
// that a norm after it needs.
// CHECK-LABEL: func.func @gelu_bias
// CHECK: fusion.segment "inner-outer-persistent"
// CHECK-NOT: fusion.segment
func.func @gelu_bias(%dy: tensor<21x160xf32>, %x: tensor<21x160xf32>, %bias: tensor<160xf32>)
    -> (tensor<21x160xf32>, tensor<160xf32>, tensor<21xf32>) {
  %half = arith.constant dense<0.5> : tensor<21x160xf32>
  %one = arith.constant dense<1.0> : tensor<21x160xf32>
  %a = arith.constant dense<0.797884583> : tensor<21x160xf32>
  %b = arith.constant dense<0.0356774069> : tensor<21x160xf32>
  %b3 = arith.constant dense<0.107032217> : tensor<21x160xf32>
  %bias_b = fusion.broadcast %bias dims = [1] : tensor<160xf32> -> tensor<21x160xf32>
  %u = arith.addf %x, %bias_b : tensor<21x160xf32>
  %u2 = arith.mulf %u, %u : tensor<21x160xf32>
  %bu2 = arith.mulf %b, %u2 : tensor<21x160xf32>
  %inner = arith.addf %a, %bu2 : tensor<21x160xf32>
  %z = arith.mulf %u, %inner : tensor<21x160xf32>
  %t = math.tanh %z : tensor<21x160xf32>
  %t1 = arith.addf %one, %t : tensor<21x160xf32>
  %left = arith.mulf %half, %t1 : tensor<21x160xf32>
  %t2 = arith.mulf %t, %t : tensor<21x160xf32>
  %sech2 = arith.subf %one, %t2 : tensor<21x160xf32>
  %b3u2 = arith.mulf %b3, %u2 : tensor<21x160xf32>
  %dz = arith.addf %a, %b3u2 : tensor<21x160xf32>
  %hu = arith.mulf %half, %u : tensor<21x160xf32>
  %r0 = arith.mulf %hu, %sech2 : tensor<21x160xf32>
  %right = arith.mulf %r0, %dz : tensor<21x160xf32>
  %slope = arith.addf %left, %right : tensor<21x160xf32>
  %dx = arith.mulf %dy, %slope : tensor<21x160xf32>
  %dbias = fusion.reduce add %dx dims = [0] : tensor<21x160xf32> -> tensor<160xf32>
  %rows = fusion.reduce add %dx dims = [1] : tensor<21x160xf32> -> tensor<21xf32>
  return %dx, %dbias, %rows : tensor<21x160xf32>, tensor<160xf32>, tensor<21xf32>
}

// h = silu(g) * u: the gradients of both, of their biases, and the largest
// magnitude of each row.
// CHECK-LABEL: func.func @swiglu_bias
// CHECK: fusion.segment "inner-outer-persistent"
// CHECK-NOT: fusion.segment
func.func @swiglu_bias(%dh: tensor<21x160xbf16>, %g: tensor<21x160xbf16>, %u: tensor<21x160xbf16>)
    -> (tensor<21x160xbf16>, tensor<21x160xbf16>, tensor<160xf32>, tensor<160xf32>, tensor<21xf32>) {
  %one = arith.constant dense<1.0> : tensor<21x160xf32>
  %dh_f = arith.extf %dh : tensor<21x160xbf16> to tensor<21x160xf32>
  %g_f = arith.extf %g : tensor<21x160xbf16> to tensor<21x160xf32>
  %u_f = arith.extf %u : tensor<21x160xbf16> to tensor<21x160xf32>
  %minus = arith.negf %g_f : tensor<21x160xf32>
  %e = math.exp %minus : tensor<21x160xf32>
  %e1 = arith.addf %one, %e : tensor<21x160xf32>
  %sig = arith.divf %one, %e1 : tensor<21x160xf32>
  %silu = arith.mulf %g_f, %sig : tensor<21x160xf32>
  %du = arith.mulf %dh_f, %silu : tensor<21x160xf32>
  %rest = arith.subf %one, %sig : tensor<21x160xf32>
  %gr = arith.mulf %g_f, %rest : tensor<21x160xf32>
  %gr1 = arith.addf %one, %gr : tensor<21x160xf32>
  %dsilu = arith.mulf %sig, %gr1 : tensor<21x160xf32>
  %dhu = arith.mulf %dh_f, %u_f : tensor<21x160xf32>
  %dg = arith.mulf %dhu, %dsilu : tensor<21x160xf32>
  %du_t = arith.truncf %du : tensor<21x160xf32> to tensor<21x160xbf16>
  %dg_t = arith.truncf %dg : tensor<21x160xf32> to tensor<21x160xbf16>
  %db_u = fusion.reduce add %du dims = [0] : tensor<21x160xf32> -> tensor<160xf32>
  %db_g = fusion.reduce add %dg dims = [0] : tensor<21x160xf32> -> tensor<160xf32>
  %mag = math.absf %dg : tensor<21x160xf32>
  %largest = fusion.reduce maximumf %mag dims = [1] : tensor<21x160xf32> -> tensor<21xf32>
  return %du_t, %dg_t, %db_u, %db_g, %largest : tensor<21x160xbf16>, tensor<21x160xbf16>, tensor<160xf32>, tensor<160xf32>, tensor<21xf32>
}

// Sums and squares of each column, their mean and variance behind them, and the
// norm of each row.
// CHECK-LABEL: func.func @column_statistics
// CHECK: fusion.segment "inner-outer-persistent"
// CHECK-NOT: fusion.segment
func.func @column_statistics(%x: tensor<64x72xf32>) -> (tensor<72xf32>, tensor<72xf32>, tensor<64xf32>) {
  %inv_m = arith.constant dense<1.5625e-02> : tensor<72xf32>
  %sq = arith.mulf %x, %x : tensor<64x72xf32>
  %s = fusion.reduce add %x dims = [0] : tensor<64x72xf32> -> tensor<72xf32>
  %q = fusion.reduce add %sq dims = [0] : tensor<64x72xf32> -> tensor<72xf32>
  %mean = arith.mulf %s, %inv_m : tensor<72xf32>
  %square = arith.mulf %q, %inv_m : tensor<72xf32>
  %mean2 = arith.mulf %mean, %mean : tensor<72xf32>
  %var = arith.subf %square, %mean2 : tensor<72xf32>
  %r = fusion.reduce add %sq dims = [1] : tensor<64x72xf32> -> tensor<64xf32>
  %norm = math.sqrt %r : tensor<64xf32>
  return %mean, %var, %norm : tensor<72xf32>, tensor<72xf32>, tensor<64xf32>
}

// Two scaled branches of one norm: both weight gradients from one pass.
// CHECK-LABEL: func.func @two_weights
// CHECK: fusion.segment "inner-outer-persistent"
// CHECK-NOT: fusion.segment
func.func @two_weights(%da: tensor<37x120xf32>, %db: tensor<37x120xf32>, %x: tensor<37x120xf32>,
                       %rstd: tensor<37xf32>, %wa: tensor<120xf32>, %wb: tensor<120xf32>)
    -> (tensor<37x120xf32>, tensor<120xf32>, tensor<120xf32>) {
  %inv_n = arith.constant dense<8.333333e-03> : tensor<37xf32>
  %rstd_b = fusion.broadcast %rstd dims = [0] : tensor<37xf32> -> tensor<37x120xf32>
  %wa_b = fusion.broadcast %wa dims = [1] : tensor<120xf32> -> tensor<37x120xf32>
  %wb_b = fusion.broadcast %wb dims = [1] : tensor<120xf32> -> tensor<37x120xf32>
  %xhat = arith.mulf %x, %rstd_b : tensor<37x120xf32>
  %a = arith.mulf %da, %wa_b : tensor<37x120xf32>
  %b = arith.mulf %db, %wb_b : tensor<37x120xf32>
  %g = arith.addf %a, %b : tensor<37x120xf32>
  %gx = arith.mulf %g, %xhat : tensor<37x120xf32>
  %s = fusion.reduce add %gx dims = [1] : tensor<37x120xf32> -> tensor<37xf32>
  %c = arith.mulf %s, %inv_n : tensor<37xf32>
  %c_b = fusion.broadcast %c dims = [0] : tensor<37xf32> -> tensor<37x120xf32>
  %p = arith.mulf %xhat, %c_b : tensor<37x120xf32>
  %d = arith.subf %g, %p : tensor<37x120xf32>
  %dx = arith.mulf %d, %rstd_b : tensor<37x120xf32>
  %ax = arith.mulf %da, %xhat : tensor<37x120xf32>
  %bx = arith.mulf %db, %xhat : tensor<37x120xf32>
  %dwa = fusion.reduce add %ax dims = [0] : tensor<37x120xf32> -> tensor<120xf32>
  %dwb = fusion.reduce add %bx dims = [0] : tensor<37x120xf32> -> tensor<120xf32>
  return %dx, %dwa, %dwb : tensor<37x120xf32>, tensor<120xf32>, tensor<120xf32>
}

// The largest magnitudes by row and by column, as scales of quantisation.
// CHECK-LABEL: func.func @amax
// CHECK: fusion.segment "inner-outer-persistent"
// CHECK-NOT: fusion.segment
func.func @amax(%x: tensor<45x96xbf16>) -> (tensor<45xbf16>, tensor<96xbf16>) {
  %a = math.absf %x : tensor<45x96xbf16>
  %r = fusion.reduce maximumf %a dims = [1] : tensor<45x96xbf16> -> tensor<45xbf16>
  %c = fusion.reduce maximumf %a dims = [0] : tensor<45x96xbf16> -> tensor<96xbf16>
  return %r, %c : tensor<45xbf16>, tensor<96xbf16>
}

// Constants that are out of range get the value of the reference, before LLVM
// takes them for anything.
// RUN: fusion-opt %s --fusion-simplify --canonicalize | FileCheck %s
// RUN: fusion-opt %s --fusion-to-ptx=chip=sm_90 --fusion-emit=ptx | FileCheck %s --check-prefix=PTX
//
// DEFINE: %{function} =
// DEFINE: %{run} = fusion-runner %s --function=%{function} --device=sim --verify --shape=0=40
// REDEFINE: %{function} = shifts
// RUN: %{run}
// REDEFINE: %{function} = casts
// RUN: %{run}
// REDEFINE: %{function} = dynamic
// RUN: %{run}

// CHECK-LABEL: func.func @shifts(
// CHECK-SAME: %[[X:.*]]: tensor<40xi32>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0> : tensor<40xi32>
// CHECK-DAG: %[[LAST:.*]] = arith.constant dense<31> : tensor<40xi32>
// CHECK: %[[SIGN:.*]] = arith.shrsi %[[X]], %[[LAST]]
// CHECK: return %[[ZERO]], %[[ZERO]], %[[SIGN]]
// PTX: .entry shifts_0
// PTX: st.global
func.func @shifts(%x: tensor<40xi32>) -> (tensor<40xi32>, tensor<40xi32>, tensor<40xi32>) {
  %c32 = arith.constant dense<32> : tensor<40xi32>
  %c40 = arith.constant dense<40> : tensor<40xi32>
  %minus = arith.constant dense<-1> : tensor<40xi32>
  %l = arith.shli %x, %c32 : tensor<40xi32>
  %r = arith.shrui %x, %c40 : tensor<40xi32>
  %s = arith.shrsi %x, %minus : tensor<40xi32>
  return %l, %r, %s : tensor<40xi32>, tensor<40xi32>, tensor<40xi32>
}

// CHECK-LABEL: func.func @casts(
// CHECK-SAME: %[[X:.*]]: tensor<40xi8>
// CHECK-DAG: arith.constant dense<127> : tensor<40xi8>
// CHECK-DAG: arith.constant dense<-128> : tensor<40xi8>
// CHECK-NOT: arith.fpto
// CHECK: return %{{.*}}, %{{.*}}, %[[X]], %[[X]]
func.func @casts(%x: tensor<40xi8>) -> (tensor<40xi8>, tensor<40xi8>, tensor<40xi8>, tensor<40xi8>) {
  %large = arith.constant dense<1.0e+20> : tensor<40xf32>
  %small = arith.constant dense<-1.0e+20> : tensor<40xf64>
  %nan = arith.constant dense<0x7FC00000> : tensor<40xf32>
  %a = arith.fptosi %large : tensor<40xf32> to tensor<40xi8>
  %b = arith.fptosi %small : tensor<40xf64> to tensor<40xi8>
  %c = arith.fptoui %small : tensor<40xf64> to tensor<40xi8>
  %d = arith.fptosi %nan : tensor<40xf32> to tensor<40xi8>
  %xa = arith.addi %x, %a : tensor<40xi8>
  %xb = arith.xori %x, %b : tensor<40xi8>
  %xc = arith.addi %x, %c : tensor<40xi8>
  %xd = arith.ori %x, %d : tensor<40xi8>
  return %xa, %xb, %xc, %xd : tensor<40xi8>, tensor<40xi8>, tensor<40xi8>, tensor<40xi8>
}

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[X:.*]]: tensor<?xi16>
// CHECK-DAG: %[[C15:.*]] = arith.constant 15 : i16
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i16
// CHECK-DAG: %[[N:.*]] = tensor.dim
// CHECK-DAG: %[[LAST:.*]] = tensor.splat %[[C15]][%[[N]]]
// CHECK-DAG: %[[ZERO:.*]] = tensor.splat %[[C0]][%[[N]]]
// CHECK-DAG: arith.shrsi %[[X]], %[[LAST]]
// CHECK-DAG: arith.addi %[[X]], %[[ZERO]]
func.func @dynamic(%x: tensor<?xi16>) -> (tensor<?xi16>, tensor<?xi16>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi16>
  %c16 = arith.constant 16 : i16
  %a = tensor.splat %c16[%n] : tensor<?xi16>
  %s = arith.shrsi %x, %a : tensor<?xi16>
  %l = arith.shli %x, %a : tensor<?xi16>
  %y = arith.addi %x, %l : tensor<?xi16>
  return %s, %y : tensor<?xi16>, tensor<?xi16>
}

// What is in range is left to upstream's folders.
// CHECK-LABEL: func.func @in_range(
// CHECK: arith.shli
// CHECK: arith.shrui
func.func @in_range(%x: tensor<40xi32>, %y: tensor<40xi32>) -> (tensor<40xi32>, tensor<40xi32>) {
  %c31 = arith.constant dense<31> : tensor<40xi32>
  %l = arith.shli %x, %c31 : tensor<40xi32>
  %r = arith.shrui %x, %y : tensor<40xi32>
  return %l, %r : tensor<40xi32>, tensor<40xi32>
}

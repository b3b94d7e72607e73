// Programs that are compiled for the shapes of their inputs are kept by shape; one that is
// compiled for any extent of its rows is kept once. What cannot be read is compiled anew.
// DEFINE: %{run} = fusion-runner %s --device=sim --verify --keep-compiled=%t.kept
// RUN: rm -rf %t.kept
// RUN: %{run} --function=inner --shape=0=4x8 --shape=1=4x8 | FileCheck %s --check-prefix=NEW
// RUN: %{run} --function=inner --shape=0=4x8 --shape=1=4x8 | FileCheck %s --check-prefix=KEPT
// RUN: %{run} --function=inner --shape=0=4x3 --shape=1=4x3 | FileCheck %s --check-prefix=NEW
// RUN: %{run} --function=inner --shape=0=4x3 --shape=1=4x3 --seed=1 --print-plan | FileCheck %s --check-prefix=PLAN
// RUN: not %{run} --function=inner --shape=0=4x1 --shape=1=4x8 2>&1 | FileCheck %s --check-prefix=UNEQUAL
// RUN: %{run} --function=rows --shape=0=4x8 | FileCheck %s --check-prefix=NEW
// RUN: %{run} --function=rows --shape=0=0x8 | FileCheck %s --check-prefix=KEPT
// RUN: %{run} --function=rows --shape=0=4x8 --chip=sm_80 | FileCheck %s --check-prefix=NEW
// RUN: %{run} --function=fixed | FileCheck %s --check-prefix=NEW
// RUN: %{run} --function=fixed | FileCheck %s --check-prefix=KEPT
// RUN: %{python} -c "import glob; [open(f, 'w').write('?') for f in glob.glob(r'%t.kept/*')]"
// RUN: %{run} --function=fixed | FileCheck %s --check-prefix=NEW
// RUN: %{run} --function=fixed | FileCheck %s --check-prefix=KEPT
// A folder that cannot be made is a warning.
// RUN: fusion-runner %s --function=fixed --device=sim --verify --keep-compiled=%s/kept 2>&1 | FileCheck %s --check-prefix=WARNING
// NEW-NOT: compiled before
// NEW: passed
// KEPT: compiled before: {{[0-9a-f]+}}.mlir
// KEPT: passed
// PLAN: compiled before:
// PLAN: kernel inner_0::inner_0_points
// PLAN: passed
// UNEQUAL: error: expected dimension 1 of argument 1 to be 1 as elsewhere in the program, but got 8
// WARNING: warning: {{.*}}kept: Not a directory
// WARNING: passed
func.func @inner(%v: tensor<4x?xf32>, %x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %y = arith.addf %v, %x : tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}

func.func @rows(%x: tensor<?x8xf32>) -> tensor<?xf32> {
  %y = fusion.reduce maximumf %x dims = [1] : tensor<?x8xf32> -> tensor<?xf32>
  return %y : tensor<?xf32>
}

func.func @fixed(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = arith.negf %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

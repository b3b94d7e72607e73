// RUN: fusion-opt %s --fusion-print-device-model -o /dev/null | FileCheck %s
// RUN: fusion-opt %s --fusion-print-device-model="chip=sm_80" -o /dev/null | FileCheck %s --check-prefix=AMPERE
// RUN: not fusion-opt %s --fusion-print-device-model="device=a100" 2>&1 | FileCheck %s --check-prefix=OTHER

// CHECK: device: h200
// CHECK-NEXT: chip: sm_90
// CHECK-NEXT: multiprocessors: 132
// CHECK: shared memory of a block: 232448 bytes
// CHECK: copy: 4.256e+06 bytes/us
// CHECK: L2: 8.512e+06 bytes/us
// CHECK: first load of a block: 1.1 us

// AMPERE: device: a100
// AMPERE-NEXT: chip: sm_80

// OTHER: error: expected a device of chip 'sm_90', but 'a100' has chip 'sm_80'

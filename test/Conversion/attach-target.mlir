// The target of a chip has the lowest PTX version that knows the chip, and no
// fast-math flag.
// RUN: fusion-opt %s --fusion-attach-target | FileCheck %s --check-prefix=DEFAULT
// RUN: fusion-opt %s --fusion-attach-target=chip=sm_80 | FileCheck %s --check-prefix=SM80
// RUN: fusion-opt %s --fusion-attach-target=chip=sm_90a | FileCheck %s --check-prefix=SM90A
// RUN: fusion-opt %s --fusion-attach-target=chip=sm_100 | FileCheck %s --check-prefix=SM100
// RUN: fusion-opt %s --fusion-attach-target=chip=sm_80 --fusion-attach-target=chip=sm_90 | FileCheck %s --check-prefix=DEFAULT
// RUN: not fusion-opt %s --fusion-attach-target=chip=sm_80a 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not fusion-opt %s --fusion-attach-target=chip= 2>&1 | FileCheck %s --check-prefix=EMPTY

// DEFAULT: gpu.module @a [#nvvm.target<O = 3, chip = "sm_90", features = "+ptx78">]
// DEFAULT: gpu.module @b [#nvvm.target<O = 3, chip = "sm_90", features = "+ptx78">]
// An operation that needs a later version raises it, for its module only.
// DEFAULT: gpu.module @copies [#nvvm.target<O = 3, chip = "sm_90", features = "+ptx80">]
// DEFAULT: gpu.module @stores [#nvvm.target<O = 3, chip = "sm_90", features = "+ptx81">]
// SM80: gpu.module @a [#nvvm.target<O = 3, chip = "sm_80", features = "+ptx70">]
// SM90A: gpu.module @a [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx80">]
// SM100: gpu.module @a [#nvvm.target<O = 3, chip = "sm_100", features = "+ptx86">]
// SM100: gpu.module @stores [#nvvm.target<O = 3, chip = "sm_100", features = "+ptx86">]
// UNKNOWN: error: expected a chip among sm_80, sm_86, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_120, but got 'sm_80a'
// EMPTY: error: expected a chip among {{.*}}, but got ''
gpu.module @a {
}
gpu.module @b {
}
gpu.module @copies {
  gpu.func @k() kernel {
    nvvm.fence.mbarrier.init
    gpu.return
  }
}
gpu.module @stores {
  gpu.func @k(%p: !llvm.ptr<7>, %x: f32) kernel {
    nvvm.fence.mbarrier.init
    nvvm.inline_ptx "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [$0], $1, [$2];" ro(%p, %x, %p : !llvm.ptr<7>, f32, !llvm.ptr<7>)
    gpu.return
  }
}

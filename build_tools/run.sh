#!/usr/bin/env bash
# Builds the compiler and runs layer-norm backward with it: compiled, run on the
# GPU where there is one and simulated where there is none, and compared with the
# reference. Arguments go to fusion-runner.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build_tools/build.sh fusion-opt fusion-runner
exec "build/${FUSION_PRESET:-dev}/bin/fusion-runner" \
  examples/layernorm_backward.mlir --print-plan --verify "$@"

#!/usr/bin/env bash
# Configures and builds: build.sh [NINJA_TARGET...]. Everything by default.
#
#   FUSION_PRESET  the CMake preset, `dev` by default; the build goes to
#                  build/$FUSION_PRESET
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build_tools/setup.sh
preset=${FUSION_PRESET:-dev}
# Clones in different folders share what ccache has.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD} CCACHE_NOHASHDIR=1
cmake --preset "$preset" --log-level=NOTICE
ninja -C "build/$preset" -j "$(nproc)" "$@"

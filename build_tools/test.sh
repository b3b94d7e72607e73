#!/usr/bin/env bash
# Builds everything and runs every test. Arguments go to lit, for example
# `--filter=Dialect`. The last line is `N passed, N failed, N skipped`.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build_tools/build.sh
exec python3 build_tools/run_tests.py "build/${FUSION_PRESET:-dev}" "$@"

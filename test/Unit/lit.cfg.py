# Every GoogleTest case of the executables below unittests/ counts as a test.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os

import lit.formats

config.name = "fusion-unit"
config.suffixes = []
config.test_source_root = os.path.join(config.fusion_build_dir, "unittests")
config.test_exec_root = config.test_source_root
config.test_format = lit.formats.GoogleTest(".", "Tests")

# FUSION_LONG_TESTS=1 compares 350 programs with the exact optimum, not 100, and
# tries each rule of the algebra 100,000 times.
if os.environ.get("FUSION_LONG_TESTS") == "1":
    config.environment["FUSION_LONG_TESTS"] = "1"

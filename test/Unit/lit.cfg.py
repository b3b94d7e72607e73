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

# The lit suite: every .mlir and .test file below test/, run through its RUN
# lines. Programs are found in the build tree first, then in LLVM's own tools.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Features for REQUIRES and UNSUPPORTED:
#   cuda-gpu   a CUDA device answers
#   ptxas      NVIDIA's assembler is there; %ptxas runs it
#   libdevice  NVIDIA's math bitcode is there; %libdevice is its path
#   asan       the tools are built with AddressSanitizer
#
# With FUSION_CHECK_ROUNDTRIP=1 in the environment every fusion-opt line also
# prints its input, as text and as bytecode, and parses it again.

import importlib.util
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "fusion"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Unit", "lib"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.fusion_build_dir, "test")

# A hanging program is a failure, not a hanging suite.
if importlib.util.find_spec("psutil"):
    is_long = os.environ.get("FUSION_LONG_TESTS") == "1"
    lit_config.maxIndividualTestTime = 3600 if is_long else 300

config.environment["PATH"] = os.pathsep.join(
    [
        os.path.join(config.fusion_build_dir, "bin"),
        config.llvm_tools_dir,
        os.environ["PATH"],
    ]
)
for name in ("CUDA_HOME", "CUDA_PATH", "CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH"):
    if name in os.environ:
        config.environment[name] = os.environ[name]


def cuda_roots():
    """The folders where a CUDA toolkit may be, most specific first."""
    named = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH")]
    return [root for root in named if root] + ["/usr/local/cuda", "/usr/lib/cuda"]


def find_ptxas():
    for root in cuda_roots():
        path = os.path.join(root, "bin", "ptxas")
        if os.access(path, os.X_OK):
            return path
    return shutil.which("ptxas")


def find_libdevice():
    for root in cuda_roots():
        path = os.path.join(root, "nvvm", "libdevice", "libdevice.10.bc")
        if os.path.isfile(path):
            return path
    return None


def has_cuda_gpu():
    """Asks the driver itself, in a process of its own: the tests fork."""
    probe = (
        "import ctypes; cuda = ctypes.CDLL('libcuda.so.1'); n = ctypes.c_int(); "
        "raise SystemExit(cuda.cuInit(0) or cuda.cuDeviceGetCount(ctypes.byref(n))"
        " or n.value == 0)"
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", probe], capture_output=True, timeout=60
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


if has_cuda_gpu():
    config.available_features.add("cuda-gpu")
ptxas = find_ptxas()
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
libdevice = find_libdevice()
if libdevice:
    config.available_features.add("libdevice")
    config.substitutions.append(("%libdevice", libdevice))
if "address" in config.fusion_sanitizers:
    config.available_features.add("asan")

config.substitutions.append(("%{python}", '"%s"' % sys.executable))
config.substitutions.append(("%{lit}", config.fusion_lit))
config.substitutions.append(("%{source}", config.fusion_source_dir))
if os.environ.get("FUSION_CHECK_ROUNDTRIP") == "1":
    # Not within a path or a longer name, and not where the flag stands already.
    config.substitutions.append(
        (
            r"(?<![\w./-])fusion-opt(?![\w./-])(?!.*--verify-roundtrip)",
            "fusion-opt --verify-roundtrip",
        )
    )

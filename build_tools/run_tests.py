#!/usr/bin/env python3
"""Runs the lit suites of a build folder and closes with one line of counts.

usage: run_tests.py BUILD_DIR [lit arguments]

The last line is `N passed, N failed, N skipped`. A test that passes, or fails
as it says it must, has passed; one that needs what is not there is skipped;
everything else has failed. Exit status: 0 if something passed and nothing
failed, 1 otherwise, 2 for a build folder without tests.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import json
import os
import re
import subprocess
import sys
import tempfile

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def find_in_cache(build_dir, name):
    """The value of CMake cache variable `name`, or None."""
    try:
        with open(os.path.join(build_dir, "CMakeCache.txt"), encoding="utf-8") as f:
            match = re.search(rf"^{name}:\w+=(.*)$", f.read(), re.MULTILINE)
    except OSError:
        return None
    return match.group(1) if match else None


def main(argv):
    if len(argv) < 2 or argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    build_dir, lit_args = argv[1], argv[2:]
    lit = find_in_cache(build_dir, "FUSION_LIT")
    if not lit:
        print(
            f"error: expected a build with tests in '{build_dir}', but its CMake "
            "cache names no lit",
            file=sys.stderr,
        )
        return 2

    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "results.json")
        suites = [os.path.join(build_dir, "test", sub) for sub in ("", "Unit")]
        command = [sys.executable, lit, "-v", "--no-progress-bar", "-o", report]
        status = subprocess.run(command + lit_args + suites).returncode
        try:
            with open(report, encoding="utf-8") as f:
                tests = json.load(f)["tests"]
        except (OSError, ValueError, KeyError):
            tests = []

    counts = collections.Counter(
        "passed"
        if test["code"] in PASSED
        else "skipped"
        if test["code"] in SKIPPED
        else "failed"
        for test in tests
    )
    if not tests:
        print(f"error: lit wrote no results (exit status {status})", file=sys.stderr)
    sys.stderr.flush()
    print("{passed} passed, {failed} failed, {skipped} skipped".format_map(
        {key: counts[key] for key in ("passed", "failed", "skipped")}
    ))
    sys.stdout.flush()
    return 0 if status == 0 and counts["passed"] and not counts["failed"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))

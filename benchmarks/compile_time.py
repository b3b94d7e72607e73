#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time the compilation of programs from .mlir to PTX, each as a process of its own.

usage: compile_time.py [--fusion-opt FUSION-OPT] [--cases SET,OP:SHAPE:TYPE,...]
                       [--chip CHIP] [--repeat R] [--limit MS] [--output FILE.json]
                       [FILE.mlir ...]

Runs `fusion-opt FILE --fusion-to-ptx` R times for each program, after a run that is
not counted, and prints a table: the least and the median wall time, the least processor
time, user's and system's, the memory, and what the longest parts take (of a further run, with
--mlir-timing). The start of the process, parsing and printing are in all of them. SET
is one of cases.py; files are programs as well. Exits with 1 if a median is above the
limit.
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from cases import select
from programs import parse_shape, program

# Passes, and what a scheduler's match takes of them, as --mlir-timing names them.
PART = re.compile(r"^\s*([0-9.]+) \(\s*[0-9.]+%\)\s+(?:\(A\) )?(\w+Pass|Canonicalizer|CSE|ConvertGpuOpsToNVVMOps|match: [\w-]+)$")
PARTS_SHOWN = 3


def run_once(command):
    """Wall and processor seconds of a run, and its peak memory in MiB."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        error = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"error: {' '.join(command)} exits with {process.returncode}\n{error}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def find_parts(command):
    """Milliseconds of each kind of pass and match, the longest first."""
    # Threads would count the time of a pass more than once.
    timed = [*command, "--mlir-timing", "--mlir-timing-display=tree", "--mlir-disable-threading"]
    report = subprocess.run(timed, capture_output=True, text=True, check=True).stderr
    parts = Counter()
    for part in filter(None, map(PART.match, report.splitlines())):
        parts[part[2]] += 1000 * float(part[1])
    return {name: round(milliseconds, 1) for name, milliseconds in parts.most_common() if milliseconds}


def measure(name, path, options):
    command = [options.fusion_opt, str(path), f"--fusion-to-ptx=chip={options.chip}", "-o", os.devnull]
    run_once(command)
    wall, processor, memory = zip(*(run_once(command) for _ in range(options.repeat)))
    return {
        "program": name,
        "min_ms": 1000 * min(wall),
        "median_ms": 1000 * statistics.median(wall),
        "samples_ms": [1000 * seconds for seconds in wall],
        "processor_ms": 1000 * min(processor),
        "memory_mib": max(memory),
        "parts_ms": find_parts(command),
    }


def print_table(rows):
    print("| program | min ms | median ms | processor ms | MiB | longest parts, ms |\n|---|---|---|---|---|---|")
    for row in rows:
        longest = list(row["parts_ms"].items())[:PARTS_SHOWN]
        parts = ", ".join(f"{name} {milliseconds:.0f}" for name, milliseconds in longest)
        print(f"| {row['program']} | {row['min_ms']:.0f} | {row['median_ms']:.0f} | {row['processor_ms']:.0f} "
              f"| {row['memory_mib']:.0f} | {parts} |")


def get_commit():
    git = subprocess.run(["git", "-C", os.path.dirname(os.path.abspath(__file__)), "rev-parse", "HEAD"], capture_output=True, text=True)
    return git.stdout.strip() or "unknown"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="programs beside those of the cases")
    parser.add_argument("--fusion-opt", default="build/portable/bin/fusion-opt")
    parser.add_argument("--cases", type=select, default=None, help="ln_bwd if neither cases nor files are given")
    parser.add_argument("--chip", default="sm_90")
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--limit", type=float, help="milliseconds that no median may exceed")
    parser.add_argument("--output", type=Path, help="the JSON")
    options = parser.parse_args()
    if not shutil.which(options.fusion_opt):
        sys.exit(f"error: expected fusion-opt of a portable build, but there is no program {options.fusion_opt}; see --fusion-opt")
    cases = options.cases or ([] if options.files else select("ln_bwd"))
    rows = [measure(path.name, path, options) for path in options.files]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.mlir"
        for op, shape, element in cases:
            path.write_text(program(op, parse_shape(op, shape), element))
            rows.append(measure(f"{op} {shape} {element}", path, options))
    print_table(rows)
    if options.output:
        processors = len(os.sched_getaffinity(0))
        result = {"commit": get_commit(), "chip": options.chip, "repeat": options.repeat, "processors": processors, "programs": rows}
        options.output.write_text(json.dumps(result, indent=1) + "\n")
    return int(options.limit is not None and any(row["median_ms"] > options.limit for row in rows))


if __name__ == "__main__":
    sys.exit(main())

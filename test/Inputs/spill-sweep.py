# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile the chosen schedules of many row lengths and fail if one spills.

usage: spill-sweep.py PROGRAMS SCHEDULER CHIP OP,... TYPE,... ROWS,... LENGTH,...|FIRST-LAST-STEP

PROGRAMS is the folder of programs.py; SCHEDULER, inner-outer-persistent or
inner-persistent, takes them. ROWS is how many rows a tensor has, or 'equal'
for as many as give all tensors about as many elements. Lengths with the same kernel but for the
number of tiles and blocks are compiled once. Prints how many were planned and
compiled.
"""
import math
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

folder, scheduler, chip, ops, types, rows, lengths = sys.argv[1:]
sys.path.insert(0, folder)
from programs import program  # noqa: E402

# Schedules are chosen for so many functions by one process.
BATCH = 64
# Fields that change no instruction but its constants.
CONSTANTS = re.compile(r"(?:finish_)?blocks = \d+,? ?|shared_bytes = \d+")


def parse_lengths(text):
    if "-" not in text:
        return [int(n) for n in text.split(",")]
    first, last, step = map(int, text.split("-"))
    return list(range(first, last + 1, step))


def get_rows(text, columns):
    """Rows of a tensor; if equal in elements, one more than any tile divides."""
    return max(1025, (1 << 26) // columns + 1) if text == "equal" else int(text)


def run(source, *options):
    done = subprocess.run(["fusion-opt", "-", *options], input=source, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"error: expected the programs to compile, but fusion-opt says\n{done.stderr}")
    return done.stdout


def plan(cases):
    """The functions of the cases with their schedules."""
    source = ""
    for number, case in enumerate(cases):
        source += re.sub(r"func\.func @\w+", f"func.func @f{number}", program(*case), count=1)
    done = run(
        source,
        "--cse",
        "--canonicalize",
        f"--fusion-segment=chip={chip} schedulers={scheduler} refuse-unscheduled",
        f"--fusion-schedule=chip={chip}",
    )
    functions = re.split(r"^(?=  func\.func )", done, flags=re.M)[1:]
    return [function.rsplit("}\n", 1)[0] if function is functions[-1] else function for function in functions]


def get_kernel(case, function):
    """What functions with the same kernel have in common."""
    schedules = re.findall(r"#fusion\.(?:inner_outer|rows)<([^>]*)>", function)
    fields = dict(re.findall(r"(\w+) = (\w+)", schedules[0]))
    covered = int(fields["threads"]) // int(fields["groups"]) * int(fields["width"]) * int(fields["vectors"])
    isRagged = case[1][1] % (covered * int(fields.get("cluster", 1))) != 0
    aligned = math.gcd(case[1][1], 8)
    return case[0], case[2], isRagged, aligned, *(CONSTANTS.sub("", s) for s in schedules)


def compile_kernel(kernel):
    """What is wrong with a kernel; None if it assembles without spills."""
    case, function = kernel
    options = [f"--fusion-to-ptx=chip={chip} verify-with-ptxas", "-o", os.devnull]
    done = subprocess.run(["fusion-opt", "-", *options], input=function, capture_output=True, text=True)
    if not done.returncode:
        return None
    error = re.search(r"error: .*", done.stderr)
    return f"{case}: {error.group(0) if error else done.stderr}\n"


def main():
    cases = [
        (op, (get_rows(m, n), n), element)
        for op in ops.split(",")
        for element in types.split(",")
        for m in rows.split(",")
        for n in parse_lengths(lengths)
    ]
    batches = [cases[first : first + BATCH] for first in range(0, len(cases), BATCH)]
    kernels = {}
    with ThreadPoolExecutor(os.cpu_count() if len(batches) > 1 else 1) as pool:
        for batch, functions in zip(batches, pool.map(plan, batches)):
            for case, function in zip(batch, functions):
                kernels.setdefault(get_kernel(case, function), (case, function))
        errors = list(pool.map(compile_kernel, kernels.values()))
    failed = sum(error is not None for error in errors)
    print(*filter(None, errors), sep="", end="")
    print(f"{len(cases)} planned, {len(kernels)} compiled, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verify and time benchmark programs on the GPU, and write one JSON file.

usage: run.py [--runner FUSION-RUNNER] [--set SET] [--replays N] [--repeat N]
              [--commit HASH] [--output FILE]

Each program of the set is written by programs.py, compiled, compared with the
reference, run --repeat times for bitwise equality and timed by --replays graph
replays (docs/Benchmarking.md). The file holds one row a program, the device, the
driver and the commit. Exit status 1 if a program failed.

Times are compared as ratios within one file, never across files.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import programs

NORM_F32 = ["2048x1024", "2048x8192", "2048x10240"]
NORM_16 = ["16384x768", "16384x1024", "16384x2048", "16384x4096", "16385x5120", "16384x8192"]
SETS = {
    "first": [("ln_bwd", s, "f32") for s in ["1x8", "33x1987", "216x3"] + NORM_F32]
    + [("ln_bwd", s, t) for s in ["16384x768", "16384x1024", "16384x4096", "16385x5120"] for t in ["bf16", "f16"]]
    + [("rms_bwd", "16384x4096", "bf16"), ("ln_bwd_residual", "2048x8192", "f32"), ("sums", "16384x4096", "bf16")],
    "norm_backward": [(op, s, t) for op in ["ln_bwd", "rms_bwd"] for t, shapes in [("f32", NORM_F32), ("bf16", NORM_16)] for s in shapes],
}


def run_program(runner, directory, op, shape, element, options):
    path = os.path.join(directory, f"{op}-{shape}-{element}.mlir")
    report = path[:-5] + ".json"
    rows, columns = map(int, shape.split("x"))
    with open(path, "w") as f:
        f.write(programs.program(op, rows, columns, element))
    command = [runner, path, "--device=cuda", "--verify", f"--benchmark={options.replays}",
               f"--repeat-check={options.repeat}", f"--json={report}"]
    process = subprocess.run(command, capture_output=True, text=True)
    row = {"op": op, "shape": shape, "type": element, "exit_status": process.returncode}
    if not os.path.exists(report):
        row["error"] = process.stderr.strip()
        return row, None
    data = json.load(open(report))
    row["verify"] = [{k: r[k] for k in ("passed", "relative_l2", "accepted_l2", "failed")} for r in data["verify"]["results"]]
    row["bitwise_equal_runs"] = data["repeat_check"]["runs"] if data["repeat_check"]["equal"] else 0
    row["benchmark"] = {k: v for k, v in data["benchmark"].items() if k != "samples_us"}
    segment = data["plan"]["segments"][0]
    row["schedule"] = segment["schedule"]
    row["predicted_us"] = segment["predicted_us"]
    row["registers"] = [launch["registers"] for launch in segment["launches"]]
    row["local_bytes"] = [launch["local_bytes"] for launch in segment["launches"]]
    return row, data["device"]


def get_commit():
    git = subprocess.run(["git", "-C", os.path.dirname(os.path.abspath(__file__)), "rev-parse", "HEAD"], capture_output=True, text=True)
    return git.stdout.strip() or "unknown"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runner", default="fusion-runner")
    parser.add_argument("--set", choices=SETS, default="first")
    parser.add_argument("--replays", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=100)
    parser.add_argument("--commit", help="the commit of the runner; default: that of this checkout")
    parser.add_argument("--output", help="default: standard output")
    options = parser.parse_args()
    rows, device = [], None
    with tempfile.TemporaryDirectory() as directory:
        for op, shape, element in SETS[options.set]:
            row, found = run_program(options.runner, directory, op, shape, element, options)
            rows.append(row)
            device = device or found
            share = row.get("benchmark", {}).get("share_of_copy")
            text = f"{row['benchmark']['median_us']:9.1f} us {100 * share:5.1f} % of copy" if share is not None else row.get("error", "")
            print(f"{op:16s} {shape:>12s} {element:5s} status {row['exit_status']} {text}", file=sys.stderr, flush=True)
    result = {"commit": options.commit or get_commit(), "device": device, "set": options.set, "rows": rows}
    text = json.dumps(result, indent=1) + "\n"
    if options.output:
        with open(options.output, "w") as f:
            f.write(text)
    else:
        print(text, end="")
    return int(any(row["exit_status"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())

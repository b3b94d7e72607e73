#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verify and time programs on the GPU beside what a user would run instead.

usage: compare.py [--runner FUSION-RUNNER] [--cases SET|OP:SHAPE:TYPE[,...]]
                  [--peers NAME[,...]|none] [--replays N] [--repeat N] [--no-verify]
                  [--verify-jobs N] [--budget SECONDS] [--commit HASH] [--output FILE] [--table FILE]

Each case (cases.py) is written by programs.py and timed by fusion-runner, one after the
other; then the peers (peers.py) are timed on the same GPU in the same way
(docs/Benchmarking.md). After all timing, each program is compared with the reference and
run --repeat times for bitwise equality, --verify-jobs programs at once.

--output gets the JSON, written anew after each case: device, driver, commit, one row a case. --table gets a Markdown
table: time, share of the copy bandwidth, ratio to each peer, and the geometric mean over
the best peer of each row. Cases that do not fit in --budget are named and left out.

Exit status 1 if a program failed or takes longer than 10 minutes, or if the copy
bandwidths of the two sides differ by more than 1 %. Compare ratios within one file.
"""
import argparse
import concurrent.futures
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time

import cases
import programs


def call_runner(path, options, arguments):
    """The exit status, the error and the report of one run."""
    report = path[:-5] + ".json"
    if os.path.exists(report):
        os.remove(report)
    command = [options.runner, path, "--device=cuda", f"--json={report}", *arguments]
    try:
        process = subprocess.run(command, capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        return 1, "it took longer than 10 minutes", None
    if not os.path.exists(report):
        return process.returncode, process.stderr.strip(), None
    with open(report) as f:
        return process.returncode, process.stderr.strip(), json.load(f)


def time_program(path, case, options):
    """The row of one program, and the device; what the runner says where it failed."""
    status, error, data = call_runner(path, options, [f"--benchmark={options.replays}"])
    row = {"op": case[0], "shape": case[1], "type": case[2], "exit_status": status}
    if not data or "benchmark" not in data:
        return row | {"error": error}, None
    row["benchmark"] = {k: v for k, v in data["benchmark"].items() if k != "samples_us"}
    segments = data["plan"]["segments"]
    row["segments"] = [{"scheduler": s["scheduler"], "schedule": s["schedule"], "predicted_us": s["predicted_us"],
                        "registers": [launch["registers"] for launch in s["launches"]],
                        "local_bytes": [launch["local_bytes"] for launch in s["launches"]]} for s in segments]
    return row, data["device"]


def verify_program(path, row, options):
    """Adds to a row whether the results are right, and equal in each run."""
    status, error, data = call_runner(path, options, ["--verify", f"--repeat-check={options.repeat}"])
    row["exit_status"] = row["exit_status"] or status
    if not data or "verify" not in data:
        row["error"] = error
        return
    row["verify"] = [{k: r[k] for k in ("passed", "relative_l2", "accepted_l2", "failed")} for r in data["verify"]["results"]]
    row["bitwise_equal_runs"] = data["repeat_check"]["runs"] if data["repeat_check"]["equal"] else 0


def write_program(directory, case):
    op, shape, element = case
    path = os.path.join(directory, f"{op}-{shape}-{element}.mlir")
    with open(path, "w") as f:
        f.write(programs.program(op, programs.parse_shape(op, shape), element))
    return path


def get_ratios(row):
    """Time of each peer over ours."""
    ours = row.get("benchmark", {}).get("median_us")
    return {name: peer["median_us"] / ours for name, peer in row.get("peers", {}).items() if ours and "median_us" in peer}


def describe(row):
    if "benchmark" not in row:
        return row["error"].split("\n")[0]
    text = f"{row['benchmark']['median_us']:9.1f} us {100 * row['benchmark']['share_of_copy']:5.1f} % of copy"
    return text + "".join(f"  {name} x{ratio:.2f}" for name, ratio in get_ratios(row).items())


def is_right(row):
    return "verify" in row and all(r["passed"] for r in row["verify"]) and row["bitwise_equal_runs"] > 0


def make_table(result):
    measured = {name for row in result["rows"] for name in row.get("peers", {})}
    names = [name for name in result.get("peers", []) if name in measured]
    lines = ["| op | shape | type | us | MB | of copy | launches | " + " | ".join(names) + " | best peer |",
             "|---|---|---|---:|---:|---:|---:|" + "---:|" * (len(names) + 1)]
    best = []
    for row in result["rows"]:
        cells = [row["op"], row["shape"], row["type"]]
        if "benchmark" not in row:
            lines.append("| " + " | ".join(cells + ["failed"] + [""] * (len(names) + 4)) + " |")
            continue
        bench, ratios = row["benchmark"], get_ratios(row)
        cells += [f"{bench['median_us']:.1f}", f"{bench['fewest_bytes'] / 1e6:.1f}", f"{100 * bench['share_of_copy']:.1f} %",
                  str(bench["launches"])]
        for name in names:
            peer = row.get("peers", {}).get(name)
            cells.append("" if peer is None else f"{ratios[name]:.2f}" if name in ratios else "failed")
        if ratios:
            best.append(min(ratios.values()))
            cells.append(f"{best[-1]:.2f}")
        else:
            cells.append("")
        lines.append("| " + " | ".join(cells) + " |")
    if best:
        mean = math.exp(sum(map(math.log, best)) / len(best))
        lines += ["", f"Peers' columns: their time over ours. Over the best peer of each row: geometric mean {mean:.2f}, "
                  f"least {min(best):.2f}, of {len(best)} rows."]
    return "\n".join(lines) + "\n"


def verify_all(directory, rows, options):
    def verify(row):
        path = os.path.join(directory, f"{row['op']}-{row['shape']}-{row['type']}.mlir")
        verify_program(path, row, options)
        if not is_right(row):
            print(f"{row['op']} {row['shape']} {row['type']} is not verified: {row.get('error', row.get('verify'))}", file=sys.stderr, flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.verify_jobs) as pool:
        list(pool.map(verify, rows))
    print(f"verified: {sum(map(is_right, rows))} of {len(rows)}", file=sys.stderr)


def get_commit():
    git = subprocess.run(["git", "-C", os.path.dirname(os.path.abspath(__file__)), "rev-parse", "HEAD"], capture_output=True, text=True)
    return git.stdout.strip() or "unknown"


def get_driver():
    try:
        query = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"], capture_output=True, text=True)
    except OSError:
        return "unknown"
    return query.stdout.strip().split("\n")[0] or "unknown"


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runner", default="fusion-runner")
    parser.add_argument("--cases", default="quick")
    parser.add_argument("--peers", default="eager,compile,compile_mix,liger,apex_fast,apex_fused,quack")
    parser.add_argument("--replays", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=100)
    parser.add_argument("--no-verify", action="store_true")
    parser.add_argument("--verify-jobs", type=int, default=1)
    parser.add_argument("--budget", type=float, default=math.inf)
    parser.add_argument("--commit", help="the commit of the runner; default: that of this checkout")
    parser.add_argument("--output", help="default: standard output")
    parser.add_argument("--table")
    options = parser.parse_args()
    try:
        options.cases = cases.select(options.cases)
    except ValueError as error:
        parser.error(str(error))
    for op, shape, _ in options.cases:
        if op not in programs.OPS:
            parser.error(f"expected an op of programs.py ({', '.join(programs.OPS)}), but found '{op}'")
        try:
            programs.parse_shape(op, shape)
        except ValueError as error:
            parser.error(str(error))
    if not shutil.which(options.runner):
        parser.error(f"expected the path of fusion-runner, but found no program '{options.runner}'")
    return options


def write_result(result, options):
    """A peer may take the process down: what was measured until then is kept."""
    if options.output:
        with open(options.output, "w") as f:
            f.write(json.dumps(result, indent=1) + "\n")
    if options.table:
        with open(options.table, "w") as f:
            f.write(make_table(result))


def make_peers(options, result):
    """The peers, of which `result` gets names and versions; None for --peers=none."""
    if options.peers == "none":
        return None
    # Without PyTorch, this program says which module it lacks.
    import peers as peers_module
    import torch
    names = options.peers.split(",")
    for name in names:
        if name not in peers_module.PEERS:
            sys.exit(f"compare.py: error: expected a peer of {', '.join(peers_module.PEERS)}, but found '{name}'")
    peers = peers_module.PeerBench(names, options.replays)
    result |= {"peers": names, "versions": {"torch": torch.__version__, "cuda": torch.version.cuda},
               "missing_peers": peers.missing, "peers_copy_bytes_per_second": peers.copy_bytes_per_second}
    return peers


def print_row(row):
    print(f"{row['op']:16s} {row['shape']:>14s} {row['type']:5s} status {row['exit_status']} {describe(row)}", file=sys.stderr, flush=True)


def main():
    options = parse_options()
    start = time.monotonic()
    rows, left_out, shares = [], [], []
    result = {"commit": options.commit or get_commit(), "device": None, "driver": get_driver(), "left_out": left_out, "rows": rows}

    def is_spent():
        return time.monotonic() - start > options.budget

    with tempfile.TemporaryDirectory() as directory:
        # All of ours come before PyTorch is there: peers are timed beside no other process,
        # and beside an idle one programs take longer (measured: by 0.1 to 0.3 us).
        for case in options.cases:
            if is_spent():
                left_out.append(":".join(case))
                continue
            row, device = time_program(write_program(directory, case), case, options)
            result["device"] = result["device"] or device
            rows.append(row)
            write_result(result, options)
            print_row(row)
        peers = make_peers(options, result)
        for row in rows if peers else []:
            case = row["op"], row["shape"], row["type"]
            if is_spent():
                left_out.append("peers of " + ":".join(case))
                continue
            row["peers"] = peers.run(*case)
            if "benchmark" in row:
                shares.append(row["benchmark"]["copy_bytes_per_second"] / peers.copy_bytes_per_second)
            write_result(result, options)
            print_row(row)
        if not options.no_verify:
            verify_all(directory, rows, options)
    write_result(result, options)
    if not options.output:
        print(json.dumps(result, indent=1))
    for name, reason in (peers.missing if peers else {}).items():
        print(f"peer left out: {name}: {reason}", file=sys.stderr)
    for case in left_out:
        print(f"not run, the budget was spent: {case}", file=sys.stderr)
    differs = [share for share in shares if abs(share - 1) > 0.01]
    if differs:
        print(f"the copy bandwidths of the two sides differ in {len(differs)} of {len(shares)} rows, by up to "
              f"{100 * max(abs(s - 1) for s in differs):.1f} %", file=sys.stderr)
    wrong = not options.no_verify and not all(map(is_right, rows))
    return int(bool(differs) or wrong or any(row["exit_status"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())

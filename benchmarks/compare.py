#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verify and time programs on the GPU beside what a user would run instead.

usage: compare.py [--runner FUSION-RUNNER] [--cases SET|OP:SHAPE:TYPE[,...]]
                  [--peers NAME[,...]|none] [--replays N] [--repeat N] [--no-verify]
                  [--budget SECONDS] [--commit HASH] [--output FILE] [--table FILE]

Each case (cases.py) is written by programs.py, run by fusion-runner: compared with the
reference, run --repeat times for bitwise equality, timed; then the peers (peers.py) are
timed on the same GPU, one after the other, in the same way (docs/Benchmarking.md).

--output gets the JSON: device, driver, commit, one row a case. --table gets a Markdown
table: time, share of the copy bandwidth, ratio to each peer, and the geometric mean over
the best peer of each row. Cases that do not fit in --budget are named and left out.

Exit status 1 if a program failed, is slower to verify than 10 minutes, or if the copy
bandwidths of the two sides differ by more than 1 %. Compare ratios within one file.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time

import cases
import programs


def run_program(directory, case, options):
    """The row of one program, and the device; what the runner says where it failed."""
    op, shape, element = case
    path = os.path.join(directory, f"{op}-{shape}-{element}.mlir")
    report = path[:-5] + ".json"
    with open(path, "w") as f:
        f.write(programs.program(op, tuple(int(x) for x in shape.split("x")), element))
    command = [options.runner, path, "--device=cuda", f"--benchmark={options.replays}", f"--json={report}"]
    if not options.no_verify:
        command += ["--verify", f"--repeat-check={options.repeat}"]
    process = subprocess.run(command, capture_output=True, text=True, timeout=600)
    row = {"op": op, "shape": shape, "type": element, "exit_status": process.returncode}
    if not os.path.exists(report):
        row["error"] = process.stderr.strip()
        return row, None
    with open(report) as f:
        data = json.load(f)
    if "verify" in data:
        row["verify"] = [{k: r[k] for k in ("passed", "relative_l2", "accepted_l2", "failed")} for r in data["verify"]["results"]]
        row["bitwise_equal_runs"] = data["repeat_check"]["runs"] if data["repeat_check"]["equal"] else 0
    row["benchmark"] = {k: v for k, v in data["benchmark"].items() if k != "samples_us"}
    segments = data["plan"]["segments"]
    row["segments"] = [{"scheduler": s["scheduler"], "schedule": s["schedule"], "predicted_us": s["predicted_us"],
                        "registers": [launch["registers"] for launch in s["launches"]],
                        "local_bytes": [launch["local_bytes"] for launch in s["launches"]]} for s in segments]
    return row, data["device"]


def get_ratios(row):
    """Time of each peer over ours."""
    ours = row.get("benchmark", {}).get("median_us")
    return {name: peer["median_us"] / ours for name, peer in row.get("peers", {}).items() if ours and "median_us" in peer}


def describe(row):
    if "benchmark" not in row:
        return row["error"].split("\n")[0]
    text = f"{row['benchmark']['median_us']:9.1f} us {100 * row['benchmark']['share_of_copy']:5.1f} % of copy"
    if "verify" in row:
        text += "  verified" if all(r["passed"] for r in row["verify"]) and row["bitwise_equal_runs"] else "  WRONG"
    return text + "".join(f"  {name} x{ratio:.2f}" for name, ratio in get_ratios(row).items())


def make_table(result):
    names = sorted({name for row in result["rows"] for name in row.get("peers", {})},
                   key=lambda name: list(result["peers"]).index(name))
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
    parser.add_argument("--budget", type=float, default=math.inf)
    parser.add_argument("--commit", help="the commit of the runner; default: that of this checkout")
    parser.add_argument("--output", help="default: standard output")
    parser.add_argument("--table")
    options = parser.parse_args()
    try:
        options.cases = cases.select(options.cases)
    except ValueError as error:
        parser.error(str(error))
    unknown = {op for op, _, _ in options.cases} - set(programs.OPS)
    if unknown:
        parser.error(f"expected an op of programs.py ({', '.join(programs.OPS)}), but found '{unknown.pop()}'")
    return options


def main():
    options = parse_options()
    start = time.monotonic()
    peers, versions = None, {}
    if options.peers != "none":
        # Without PyTorch, this program says which module it lacks.
        import peers as peers_module
        import torch
        names = options.peers.split(",")
        for name in names:
            if name not in peers_module.PEERS:
                sys.exit(f"compare.py: error: expected a peer of {', '.join(peers_module.PEERS)}, but found '{name}'")
        peers = peers_module.PeerBench(names, options.replays)
        versions = {"torch": torch.__version__, "cuda": torch.version.cuda}
    rows, device, left_out, shares = [], None, [], []
    with tempfile.TemporaryDirectory() as directory:
        for case in options.cases:
            if time.monotonic() - start > options.budget:
                left_out.append(":".join(case))
                continue
            row, found = run_program(directory, case, options)
            device = device or found
            if peers:
                row["peers"] = peers.run(*case)
                if "benchmark" in row:
                    shares.append(row["benchmark"]["copy_bytes_per_second"] / peers.copy_bytes_per_second)
            rows.append(row)
            print(f"{row['op']:16s} {row['shape']:>14s} {row['type']:5s} status {row['exit_status']} {describe(row)}", file=sys.stderr, flush=True)
    result = {"commit": options.commit or get_commit(), "device": device, "driver": get_driver()}
    if peers:
        result |= {"peers": options.peers.split(","), "versions": versions, "missing_peers": peers.missing,
                   "peers_copy_bytes_per_second": peers.copy_bytes_per_second}
        for name, reason in peers.missing.items():
            print(f"peer left out: {name}: {reason}", file=sys.stderr)
    result |= {"left_out": left_out, "rows": rows}
    for case in left_out:
        print(f"not run, the budget was spent: {case}", file=sys.stderr)
    text = json.dumps(result, indent=1) + "\n"
    if options.output:
        with open(options.output, "w") as f:
            f.write(text)
    else:
        print(text, end="")
    if options.table:
        with open(options.table, "w") as f:
            f.write(make_table(result))
    differs = [share for share in shares if abs(share - 1) > 0.01]
    if differs:
        print(f"the copy bandwidths of the two sides differ in {len(differs)} of {len(shares)} rows, by up to "
              f"{100 * max(abs(s - 1) for s in differs):.1f} %", file=sys.stderr)
    return int(bool(differs) or any(row["exit_status"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())

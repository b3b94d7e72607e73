#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draw the share of the copy bandwidth over the hidden size, ours and peers'.

usage: plot.py RESULT.json [--op OP[,...]] [--output-dir DIR]

RESULT.json comes from compare.py. For each op with more than one shape in an element
type, writes DIR/OP-TYPE.svg and DIR/OP-TYPE.png. Needs matplotlib.
"""
import argparse
import json
import os
import sys


def get_series(rows):
    """Points (hidden size, share) by name: fusion first, then the peers."""
    series = {"fusion": []}
    for row in rows:
        bench = row.get("benchmark")
        if not bench:
            continue
        size = int(row["shape"].split("x")[-1])
        series["fusion"].append((size, bench["share_of_copy"]))
        for name, peer in row.get("peers", {}).items():
            if "median_us" in peer:
                share = bench["share_of_copy"] * bench["median_us"] / peer["median_us"]
                series.setdefault(name, []).append((size, share))
    return {name: sorted(points) for name, points in series.items()}


def draw(title, series, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    plt.rcParams["svg.hashsalt"] = title
    figure, axes = plt.subplots(figsize=(7, 4))
    for name, points in series.items():
        sizes, shares = zip(*points)
        ours = name == "fusion"
        axes.plot(sizes, [100 * s for s in shares], marker="o", markersize=4, label=name,
                  linewidth=2.5 if ours else 1, zorder=3 if ours else 2, color="black" if ours else None)
    axes.set_xscale("log", base=2)
    ticks = sorted({size for points in series.values() for size, _ in points})
    axes.set_xticks(ticks, [str(t) for t in ticks], rotation=45, fontsize=8)
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel("hidden size")
    axes.set_ylabel("% of copy bandwidth")
    axes.set_title(title)
    axes.grid(alpha=0.3)
    # Beside the curves, whatever these look like.
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.01, 0.5))
    figure.tight_layout()
    figure.savefig(path + ".svg", metadata={"Date": None})
    figure.savefig(path + ".png", dpi=120, metadata={"Software": None})
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result")
    parser.add_argument("--op", help="default: all")
    parser.add_argument("--output-dir", default=".")
    options = parser.parse_args()
    try:
        with open(options.result) as f:
            result = json.load(f)
        groups = {}
        for row in result["rows"]:
            groups.setdefault((row["op"], row["type"]), []).append(row)
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"plot.py: error: expected a file that compare.py wrote, but {options.result}: {error}")
    os.makedirs(options.output_dir, exist_ok=True)
    drawn = 0
    for (op, element), rows in groups.items():
        series = get_series(rows)
        if len(series["fusion"]) < 2 or (options.op and op not in options.op.split(",")):
            continue
        device = result["device"]["name"] if result.get("device") else "unknown device"
        draw(f"{op} {element}, {device}", series, os.path.join(options.output_dir, f"{op}-{element}"))
        drawn += 1
    if not drawn:
        sys.exit("plot.py: error: expected an op with at least two measured shapes in one element type, but found none")


if __name__ == "__main__":
    main()

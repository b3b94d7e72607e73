#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run programs on the simulator and on the GPU and compare the results bit for bit.

usage: compare_devices.py [--runner FUSION-RUNNER] [--seed N] [--output FILE] FILE...

Needs the programs and fusion-runner, nothing else. Elements are equal if their bits are,
or if both are NaN. Writes one JSON row a program; exit status 1 if one differs or fails.
"""
import argparse
import glob
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

# NumPy's descriptor: size, and whether NaN exists. bf16 and f8 travel as unsigned.
FLOATS = {"f2": (0x7C00, 0x03FF), "f4": (0x7F800000, 0x007FFFFF), "f8": (0x7FF << 52, (1 << 52) - 1)}
CARRIED = {"bf16": (0x7F80, 0x007F), "f8E5M2": (0x7C, 0x03), "f8E4M3FN": (0x7F, 0x00)}


def read_npy(path):
    """The descriptor and the elements' bits."""
    with open(path, "rb") as f:
        data = f.read()
    major = data[6]
    size, start = (struct.unpack_from("<H", data, 8)[0], 10) if major == 1 else (struct.unpack_from("<I", data, 8)[0], 12)
    header = data[start : start + size].decode("latin1")
    descriptor = re.search(r"'descr':\s*'[<>|=]?(\w+)'", header).group(1)
    width = int(descriptor[1:])
    body = data[start + size :]
    return descriptor, [int.from_bytes(body[i : i + width], "little") for i in range(0, len(body), width)]


def is_nan(bits, descriptor, element):
    exponent, fraction = CARRIED.get(element) or FLOATS.get(descriptor) or (None, None)
    if exponent is None:
        return False
    if element == "f8E4M3FN":
        return bits & exponent == exponent
    return bits & exponent == exponent and bits & fraction != 0


def result_elements(path):
    """The element types of the function's results."""
    with open(path) as f:
        text = f.read()
    match = re.search(r"->\s*\(?(.*?)\)?\s*\{", text[text.index("func.func") :], re.DOTALL)
    return [t.split("x")[-1] for t in re.findall(r"tensor<([^>]*)>", match.group(1))] if match else []


def run(runner, path, device, seed, folder):
    command = [runner, path, f"--device={device}", f"--seed={seed}", f"--output-dir={folder}"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stderr.strip()[-500:]


def compare(runner, path, seed):
    row = {"program": os.path.basename(path), "results": 0, "elements": 0, "different": 0}
    with tempfile.TemporaryDirectory() as folder:
        folders = {device: os.path.join(folder, device) for device in ("sim", "cuda")}
        for device, where in folders.items():
            status, text = run(runner, path, device, seed, where)
            if status:
                return {**row, "equal": False, "error": f"{device}: exit status {status}: {text}"}
        elements = result_elements(path)
        for number, left in enumerate(sorted(glob.glob(os.path.join(folders["sim"], "result*.npy")), key=lambda p: int(re.search(r"result(\d+)\.npy", p).group(1)))):
            right = os.path.join(folders["cuda"], os.path.basename(left))
            descriptor, expected = read_npy(left)
            _, found = read_npy(right)
            element = elements[number] if number < len(elements) else ""
            row["results"] += 1
            row["elements"] += len(expected)
            row["different"] += sum(a != b and not (is_nan(a, descriptor, element) and is_nan(b, descriptor, element)) for a, b in zip(expected, found))
            if len(expected) != len(found):
                row["different"] += 1
    return {**row, "equal": row["different"] == 0}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runner", default="fusion-runner")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", help="the JSON file; the standard output if left out")
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    rows = [compare(options.runner, path, options.seed) for path in options.programs]
    for row in rows:
        if not row["equal"]:
            print(f"{row['program']}: {row.get('error') or str(row['different']) + ' elements differ'}", file=sys.stderr)
    report = {"programs": len(rows), "equal": sum(row["equal"] for row in rows), "elements": sum(row["elements"] for row in rows), "rows": rows}
    text = json.dumps(report, indent=1) + "\n"
    if options.output:
        with open(options.output, "w") as f:
            f.write(text)
        print(f"{report['equal']} of {report['programs']} programs equal bit for bit ({report['elements']} elements)")
    else:
        print(text, end="")
    return 0 if report["equal"] == report["programs"] else 1


if __name__ == "__main__":
    sys.exit(main())

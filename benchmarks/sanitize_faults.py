#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare the simulator's findings with compute-sanitizer's on the simulator's own tests.

usage: sanitize_faults.py [--runner FUSION-RUNNER] [--sanitizer COMPUTE-SANITIZER]
                          [--tests DIR] [--emit DIR] [--output FILE]

The kernels are those of test/Simulator/*.mlir: each has one fault and is followed by its
repaired twin. Each becomes a lowered module with a host function that launches it, and
runs through fusion-runner on the simulator and, under the tool that looks for its kind
of fault, on the GPU. Writes one JSON row a kernel and tool: what the test expects, what
the simulator says and what compute-sanitizer says. --emit only writes the modules.

Kernels whose fault no tool looks for are left out, and listed with the reason. Of the
faults a tool looks for it misses some: FINDS_LESS says which and why; they run too. Exit
status 1 if the simulator differs from a test, or a tool from the simulator in another way.
"""
import argparse
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

# What compute-sanitizer looks for, by the simulator's name of the fault.
TOOLS = {
    "data race": "racecheck",
    "uninitialised read": "initcheck",
    "out of bounds": "memcheck",
    "misaligned access": "memcheck",
    "divergent barrier": "synccheck",
}
# Faults that the tools of compute-sanitizer 2025.3 look for in other kernels but miss in these.
FINDS_LESS = {
    "too_early": "racecheck does not follow accesses to the shared memory of another block",
    "too_late": "racecheck does not follow accesses to the shared memory of another block",
    "no_such_block": "memcheck does not know the number of blocks of a cluster",
    "odd_size": "memcheck does not look at the size of a bulk copy",
    "some_wait_for_the_block": "the kernel hangs, as the finding says it may",
    "two_barriers": "synccheck takes two barrier instructions with one number for one barrier",
    "barrier_by_warp": "synccheck takes two barrier instructions with one number for one barrier",
    "early_exit": "synccheck reports nothing where threads exited before the barrier",
}
KINDS = list(TOOLS) + ["deadlock", "inactive lane", "limit exceeded", "barrier misuse", "exited block", "finding"]
FORMATS = {"f32": ("<f4", "<f"), "f64": ("<f8", "<d"), "i8": ("|i1", "<b"), "i16": ("<i2", "<h"), "i32": ("<i4", "<i"), "i64": ("<i8", "<q")}
HERE = os.path.dirname(os.path.abspath(__file__))
SIM = re.compile(r",?\s*sim\.\w+\s*=\s*(?:\[[^\]]*\]|-?\d+(?:\s*:\s*i64)?)")


def find_kernels(path):
    """Yields each kernel of a test file with its chunk and the verdict expected of it."""
    with open(path) as f:
        chunks = re.split(r"^// -----$", f.read(), flags=re.MULTILINE)
    for chunk in chunks:
        verdicts = re.findall(r"// CHECK(?:-LABEL|-NEXT)?: (\w+): (passed|failed)", chunk)
        for name, verdict in verdicts:
            head = re.search(rf"gpu\.func @{name}\((.*?)\).*?\{{\s*\n", chunk, re.DOTALL)
            if head:
                yield name, verdict, chunk, head


def get_extents(head, name):
    match = re.search(rf"sim\.{name} = \[([^\]]*)\]", head)
    extents = [int(x) for x in match.group(1).split(",")] if match else []
    return extents + [1] * (3 - len(extents))


def make_module(name, chunk, head):
    """The lowered module and what the arguments are made of; None if it has none."""
    text = head.group(0)
    specs = re.findall(r'"([^"]*)"', re.search(r"sim\.args = \[([^\]]*)\]", text).group(1))
    arguments = re.findall(r"%\w+\s*:\s*(.*?)(?=,\s*%|$)", head.group(1), re.DOTALL)
    types = [a.split("{")[0].strip() for a in arguments]
    if len(types) != len(specs) or not all(re.fullmatch(r"memref<(\d+x)+[a-z]+\d+>", t) for t in types):
        return None
    inputs = []
    for number, (kind, type_) in enumerate(zip(specs, types)):
        if kind == "uninit":
            continue
        if not re.fullmatch(r"iota(:\d+)?|const:\S+", kind) or type_.rstrip(">").split("x")[-1] not in FORMATS:
            return None
        inputs.append((number, kind, type_))
    module = re.findall(r"gpu\.module @(\w+)", chunk[: head.start()])[-1]
    grid, block = get_extents(text, "grid"), get_extents(text, "block")
    shared = re.search(r"sim\.shared = (\d+)", text)
    lines = [line for line in SIM.sub("", chunk).split("\n") if not line.lstrip().startswith("//")]
    body = re.sub(r"attributes \{\s*,?\s*\}", "", "\n".join(lines))
    aliases = "\n".join(line for line in lines if line.startswith("!"))
    body = "\n".join(line for line in body.split("\n") if not line.startswith("!"))
    cluster = get_extents(text, "cluster") if "sim.cluster" in text else []
    constants = {f"%e{v}": v for v in sorted({*grid, *block, *cluster})}
    host = [f"func.func @run_{name}({', '.join(f'%a{i}: {t}' for i, t in enumerate(types))}) {{"]
    host += [f"  {c} = arith.constant {v} : index" for c, v in constants.items()]
    if shared:
        host.append(f"  %shared = arith.constant {shared.group(1)} : i32")
    triple = lambda extents: "(" + ", ".join(f"%e{v}" for v in extents) + ")"
    launch = f"  gpu.launch_func @{module}::@{name}"
    if cluster:
        launch += f" clusters in {triple(cluster)}"
    launch += f" blocks in {triple(grid)} threads in {triple(block)}"
    if shared:
        launch += " dynamic_shared_memory_size %shared"
    if types:
        launch += " args(" + ", ".join(f"%a{i} : {t}" for i, t in enumerate(types)) + ")"
    host += [launch, "  return", "}"]
    # Another kernel of the chunk may have a fault that the compiler sees.
    return f"{aliases}\nmodule attributes {{gpu.container_module}} {{\n{body}\n" + "\n".join(host) + "\n}\n", inputs


def write_npy(path, kind, type_):
    shape = [int(x) for x in re.findall(r"(\d+)x", type_)]
    descriptor, code = FORMATS[type_.rstrip(">").split("x")[-1]]
    count = 1
    for extent in shape:
        count *= extent
    modulus = int(kind.split(":")[1]) if ":" in kind else count
    header = f"{{'descr': '{descriptor}', 'fortran_order': False, 'shape': ({', '.join(map(str, shape))},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        f.write(b"".join(struct.pack(code, i % modulus) for i in range(count)))


def get_inputs(folder, name, inputs):
    options = []
    for number, kind, type_ in inputs:
        if kind.startswith("const:"):
            options.append(f"--input={number}={kind}")
            continue
        path = os.path.join(folder, f"{name}-{number}.npy")
        write_npy(path, kind, type_)
        options.append(f"--input={number}={path}")
    return options


def simulate(runner, path, inputs):
    done = subprocess.run([runner, path, "--device=sim", *inputs], capture_output=True, text=True, timeout=120)
    kinds = [kind for kind in KINDS if f"error: {kind}: " in done.stderr]
    return {"exit_status": done.returncode, "found": kinds, "error": "" if kinds or not done.returncode else done.stderr.strip()[-300:]}


def sanitize(options, tool, path, inputs):
    command = [options.sanitizer, f"--tool={tool}", "--error-exitcode=99", options.runner, path, "--device=cuda", "--leave-uninitialized", *inputs]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return {"tool": tool, "verdict": "hang", "summary": ""}
    text = done.stdout + done.stderr
    summaries = re.findall(r"(?:ERROR|RACECHECK) SUMMARY: [^\n]*", text)
    summary = summaries[-1] if summaries else ""
    number = re.search(r"SUMMARY: (\d+)", summary)
    verdict = "error" if not number else "found" if int(number.group(1)) else "clean"
    row = {"tool": tool, "verdict": verdict, "summary": summary}
    first = re.findall(r"========= ((?:Error|Uninitialized|Invalid|Barrier|Race|Warning|Misaligned)[^\n]*)", text)
    if first:
        row["first"] = first[0]
    if verdict == "error":
        row["text"] = text.strip()[-400:]
    return row


def get_fault(chunk):
    """The kind and the text of the fault that a chunk's tests expect first."""
    match = re.search(r"expected-error[^{]*\{\{((" + "|".join(KINDS) + r").*)\}\}", chunk)
    return (match.group(2), match.group(1)) if match else (None, "")


def get_limit(kind, text):
    """Why no tool looks for the fault; empty if one does."""
    if kind not in TOOLS:
        return "no tool looks for it"
    if kind == "data race" and "in shared memory" not in text:
        return "racecheck watches shared memory only"
    if kind != "data race" and "shared buffer" in text:
        return "the tools see the shared memory of a block as one buffer that is written"
    return ""


def collect(tests, folder):
    """Writes the modules. Returns what to run and what is left out."""
    cases, left_out = [], []
    for file in sorted(os.listdir(tests)):
        if not file.endswith(".mlir"):
            continue
        for name, verdict, chunk, head in find_kernels(os.path.join(tests, file)):
            kind, text = get_fault(chunk)
            if not kind:
                continue
            reason = get_limit(kind, text)
            made = None if reason else make_module(name, chunk, head)
            if not made:
                left_out.append({"file": file, "kernel": name, "reason": reason or "its arguments are not memrefs of numbers"})
                continue
            path = os.path.join(folder, f"{name}.mlir")
            with open(path, "w") as f:
                f.write(made[0])
            cases.append((file, name, verdict, TOOLS[kind], path, get_inputs(folder, name, made[1])))
    return cases, left_out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runner", default="fusion-runner")
    parser.add_argument("--sanitizer", default="compute-sanitizer")
    parser.add_argument("--tests", default=os.path.join(HERE, "..", "test", "Simulator"))
    parser.add_argument("--emit", metavar="DIR", help="write the modules there, simulate, and stop")
    parser.add_argument("--output", help="the JSON file; the standard output if left out")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.emit or temporary
        os.makedirs(folder, exist_ok=True)
        rows = []
        cases, left_out = collect(options.tests, folder)
        for file, name, expected, tool, path, inputs in cases:
            row = {"file": file, "kernel": name, "expected": expected, "simulator": simulate(options.runner, path, inputs)}
            expected_here = row["agrees"] = (row["simulator"]["exit_status"] != 0) == (expected == "failed") and not row["simulator"]["error"]
            if not options.emit:
                row["sanitizer"] = sanitize(options, tool, path, inputs)
                row["agrees"] = row["agrees"] and row["sanitizer"]["verdict"] == ("found" if expected == "failed" else "clean")
                if expected_here and not row["agrees"] and expected == "failed" and name in FINDS_LESS:
                    row["finds_less"] = FINDS_LESS[name]
            rows.append(row)
            if not row["agrees"] and "finds_less" not in row:
                print(f"{name}: {json.dumps(row)}", file=sys.stderr)
    less = sum("finds_less" in row for row in rows)
    report = {"kernels": len(rows), "agree": sum(row["agrees"] for row in rows), "compute_sanitizer_finds_less": less}
    if not options.emit:
        version = subprocess.run([options.sanitizer, "--version"], capture_output=True, text=True).stdout.strip().split("\n")
        report["compute_sanitizer"] = version[-1]
    text = json.dumps({**report, "left_out": left_out, "rows": rows}, indent=1) + "\n"
    if options.output:
        with open(options.output, "w") as f:
            f.write(text)
        print(f"{report['agree']} of {report['kernels']} kernels: simulator and compute-sanitizer agree with the test; on {less} compute-sanitizer finds less, as known")
    else:
        print(text, end="")
    return 0 if report["agree"] + less == report["kernels"] else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time the import and simplification of long programs: they should be linear.

usage: import_scaling.py [--fusion-opt FUSION-OPT] [--operations N] [--repeat R]
                         [--program NAME]... [--print]

Writes programs of N and 2 N operations, and runs the import and simplify phases on each
R times, by turns. Prints the least user time of fusion-opt, which also parses and prints
the program, and in brackets the least wall time of each pass; and the median of the ratios
of a turn, which a busy machine disturbs least. Exits with 1 if 10,000 operations take 2 s
or more, or if a ratio is above 2.3.
"""
import argparse
import re
import resource
import statistics
import subprocess
import sys

PASSES = "convert-linalg-to-fusion,canonicalize,fusion-refine-extents,fusion-simplify,cse,canonicalize"
HEADER = """#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
"""
T, R, D = "tensor<64x128xf32>", "tensor<64x1xf32>", "tensor<?x128xf32>"


def generic(result, inputs, out, body, maps=None, iterators=("parallel", "parallel")):
    """linalg.generic of `inputs` and `out`, pairs of a value and a type."""
    maps = maps or ["#id"] * (len(inputs) + 1)
    arguments = ", ".join([f"%in{i}: f32" for i in range(len(inputs))] + ["%out: f32"])
    names, types = ", ".join(name for name, _ in inputs), ", ".join(kind for _, kind in inputs)
    return (
        f"  {result} = linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = "
        f"[{', '.join(chr(34) + i + chr(34) for i in iterators)}]}}\n"
        f"      ins({names} : {types}) outs({out[0]} : {out[1]}) {{\n  ^bb0({arguments}):\n"
        f"    {body}\n    linalg.yield %t : f32\n  }} -> {out[1]}\n"
    )


def norms(count):
    """A row scalar of each norm reaches the next one."""
    yield f"func.func @f(%x0: {T}) -> {T} {{\n  %zero = arith.constant 0.0 : f32\n  %n = arith.constant 128.0 : f32\n"
    yield f"  %e = tensor.empty() : {T}\n  %r = tensor.empty() : {R}\n"
    yield f"  %i = linalg.fill ins(%zero : f32) outs(%r : {R}) -> {R}\n"
    for i in range(count // 3):
        yield generic(f"%s{i}", [(f"%x{i}", T)], ("%i", R), "%t = arith.addf %in0, %out : f32", ["#id", "#row"],
                      ("parallel", "reduction"))
        yield generic(f"%m{i}", [(f"%s{i}", R)], ("%r", R), "%t = arith.divf %in0, %n : f32")
        yield generic(f"%x{i + 1}", [(f"%x{i}", T), (f"%m{i}", R)], ("%e", T), "%t = arith.subf %in0, %in1 : f32",
                      ["#id", "#row", "#id"])
    yield f"  return %x{count // 3} : {T}\n}}\n"


def element_wise(count):
    """A chain; every operation reads one argument."""
    yield f"func.func @f(%x0: {T}, %y: {T}) -> {T} {{\n  %e = tensor.empty() : {T}\n"
    for i in range(count):
        yield generic(f"%x{i + 1}", [(f"%x{i}", T), ("%y", T)], ("%e", T),
                      f"%t = arith.{'addf' if i % 2 else 'mulf'} %in0, %in1 : f32")
    yield f"  return %x{count} : {T}\n}}\n"


def rows(count):
    """Values of rows that are repeated before they are computed with: a broadcast moves
    behind all of them."""
    yield f"func.func @f(%v: tensor<64xf32>, %y: {T}) -> {T} {{\n  %e = tensor.empty() : {T}\n"
    yield f"  %x0 = linalg.broadcast ins(%v : tensor<64xf32>) outs(%e : {T}) dimensions = [1]\n"
    for i in range(count - 2):
        yield generic(f"%x{i + 1}", [(f"%x{i}", T), (f"%x{max(0, i - 1)}", T)], ("%e", T),
                      "%t = arith.addf %in0, %in1 : f32")
    yield generic("%z", [(f"%x{count - 2}", T), ("%y", T)], ("%e", T), "%t = arith.addf %in0, %in1 : f32")
    yield f"  return %z : {T}\n}}\n"


def constants(count):
    """A constant for each operation, and one broadcast that all use."""
    yield f"func.func @f(%v: tensor<64xf32>, %x0: {T}) -> {T} {{\n  %e = tensor.empty() : {T}\n"
    yield f"  %b = linalg.broadcast ins(%v : tensor<64xf32>) outs(%e : {T}) dimensions = [1]\n"
    for i in range(count // 2):
        yield f"  %k{i} = arith.constant dense<{i}.5> : {T}\n"
        yield generic(f"%x{i + 1}", [(f"%x{i}", T), (f"%k{i}", T), ("%b", T)], ("%e", T),
                      "%u = arith.mulf %in0, %in2 : f32\n    %t = arith.addf %u, %in1 : f32")
    yield f"  return %x{count // 2} : {T}\n}}\n"


def shapes(count):
    """Reshapes and transposes that cancel, between element-wise operations."""
    yield f"func.func @f(%x0: {T}) -> {T} {{\n  %e = tensor.empty() : {T}\n  %c = tensor.empty() : tensor<128x64xf32>\n"
    for i in range(count // 5):
        yield f"  %a{i} = tensor.expand_shape %x{i} [[0, 1], [2]] output_shape [64, 1, 128] : {T} into tensor<64x1x128xf32>\n"
        yield f"  %b{i} = tensor.collapse_shape %a{i} [[0], [1, 2]] : tensor<64x1x128xf32> into {T}\n"
        yield f"  %t{i} = linalg.transpose ins(%b{i} : {T}) outs(%c : tensor<128x64xf32>) permutation = [1, 0]\n"
        yield f"  %u{i} = linalg.transpose ins(%t{i} : tensor<128x64xf32>) outs(%e : {T}) permutation = [1, 0]\n"
        yield generic(f"%x{i + 1}", [(f"%u{i}", T), (f"%x{i}", T)], ("%e", T), "%t = arith.mulf %in0, %in1 : f32")
    yield f"  return %x{count // 5} : {T}\n}}\n"


def dynamic(count):
    """Rows that the launch counts: each result takes its extent from the one before."""
    yield f"func.func @f(%x0: {D}, %y: {D}) -> {D} {{\n  %c0 = arith.constant 0 : index\n"
    for i in range(count // 3):
        yield f"  %d{i} = tensor.dim %x{i}, %c0 : {D}\n  %e{i} = tensor.empty(%d{i}) : {D}\n"
        yield generic(f"%x{i + 1}", [(f"%x{i}", D), ("%y", D)], (f"%e{i}", D), "%t = arith.addf %in0, %in1 : f32")
    yield f"  return %x{count // 3} : {D}\n}}\n"


PROGRAMS = {f.__name__: f for f in (norms, element_wise, rows, constants, shapes, dynamic)}


def run(fusion_opt, text, arguments):
    """User seconds of a run, and what it writes to the standard error."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([fusion_opt, "-o", "/dev/null", *arguments], input=text, capture_output=True, text=True,
                          check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, done.stderr


def measure(fusion_opt, text):
    """User seconds, and the wall seconds of each pass in their order."""
    seconds, report = run(fusion_opt, text, [f"--pass-pipeline=builtin.module({PASSES})", "--mlir-timing"])
    found = re.findall(r"([0-9.]+) \([ 0-9.]+%\)  (\w+Pass|Canonicalizer|CSE)\b", report)
    return seconds, dict(zip_unique((name.removesuffix("Pass") for _, name in found), (float(time) for time, _ in found)))


def zip_unique(names, values):
    """Pairs; the second canonicalizer gets a number."""
    seen = {}
    for name, value in zip(names, values):
        seen[name] = seen.get(name, 0) + 1
        yield (name if seen[name] == 1 else f"{name} {seen[name]}"), value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fusion-opt", default="build/dev/bin/fusion-opt")
    parser.add_argument("--operations", type=int, default=10000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--program", action="append", choices=PROGRAMS, help="only these; may be repeated")
    parser.add_argument("--print", action="store_true", help="print the first program instead")
    options = parser.parse_args()
    failed = False
    for name in options.program or PROGRAMS:
        sizes = (options.operations, 2 * options.operations)
        texts = [HEADER + "".join(PROGRAMS[name](operations)) for operations in sizes]
        if options.print:
            print(texts[0], end="")
            return 0
        turns = [[measure(options.fusion_opt, text) for text in texts] for _ in range(options.repeat)]
        for operations, runs in zip(sizes, zip(*turns)):
            details = ", ".join(f"{key} {min(passes[key] for _, passes in runs):.3f}" for key in runs[0][1])
            print(f"{name}, {operations} operations: {min(seconds for seconds, _ in runs):.2f} s ({details})", flush=True)
        ratio = statistics.median(second[0] / first[0] for first, second in turns)
        print(f"{name}: ratio {ratio:.2f}", flush=True)
        failed |= min(first[0] for first, _ in turns) >= 2 * options.operations / 10000 or ratio > 2.3
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times fusion-segment on programs of 250 to 10,000 operations.

  layers      normalisations and their gradients between calls, all alike
  random      element-wise operations, reductions and broadcasts at random
  fan         branches of one matrix, a sum each, all of them results
  broadcast   the same behind a total of the matrix that every branch needs
  chain       element-wise operations one after another
  butterfly   64 values, each layer computed from two values of the layer before
  components  programs of three operations that share nothing
  diamonds    softmax-like steps, each reading what the last one gave twice

Prints, for each size, the time of the facts and of the search as the pass counts
them, the processor time that the pass adds to parsing and printing (which other work
on the machine does not change much), and the exponent of the growth of the latter from
the second to the last size.
"""

import argparse
import math
import random
import re
import resource
import subprocess

MATRIX, ROW, COLUMN = "tensor<8192x4096xf32>", "tensor<8192xf32>", "tensor<4096xf32>"


class Program:
    """Text of a function, one operation at a time."""

    def __init__(self):
        self.lines, self.count, self.arguments = [], 0, []

    def argument(self):
        self.arguments.append(f"%a{len(self.arguments)}")
        return self.arguments[-1]

    def add(self, text):
        name = f"%v{self.count}"
        self.count += 1
        self.lines.append(f"  {name} = {text}")
        return name

    def reduce(self, value, dim):
        return self.add(
            f"fusion.reduce add {value} dims = [{dim}] : {MATRIX} -> "
            f"{ROW if dim == 1 else COLUMN}")

    def broadcast(self, value, kind):
        return self.add(
            f"fusion.broadcast {value} dims = [{0 if kind == ROW else 1}] : "
            f"{kind} -> {MATRIX}")

    def binary(self, op, a, b, kind=MATRIX):
        return self.add(f"arith.{op} {a}, {b} : {kind}")

    def finish(self, results, kinds):
        types = ", ".join(kinds)
        more = "".join(f", {name}: {MATRIX}" for name in self.arguments)
        return "\n".join(
            [f"func.func private @call({MATRIX}) -> {MATRIX}",
             f"func.func @f(%x: {MATRIX}, %r: {ROW}, %c: {COLUMN}{more}) -> ({types}) {{",
             *self.lines, f"  return {', '.join(results)} : {types}", "}"]) + "\n"


def make_layers(size):
    program, value, results, kinds = Program(), "%x", [], []
    while program.count < size:
        weight = program.broadcast("%c", COLUMN)
        scaled = program.binary("mulf", value, weight)
        total = program.broadcast(program.reduce(scaled, 1), ROW)
        centred = program.binary("subf", scaled, total)
        square = program.binary("mulf", centred, centred)
        variance = program.broadcast(program.reduce(square, 1), ROW)
        normal = program.binary("mulf", centred, variance)
        results.append(program.reduce(normal, 0))
        kinds.append(COLUMN)
        called = program.add(f"func.call @call({normal}) : ({MATRIX}) -> {MATRIX}")
        value = program.binary("addf", called, value)
    return program.finish(results + [value], kinds + [MATRIX])


def make_random(size):
    source = random.Random(size)
    program = Program()
    values = [("%x", MATRIX), ("%r", ROW), ("%c", COLUMN)]
    used = set()

    def choose():
        value = values[-1 - min(int(source.expovariate(0.3)), len(values) - 1)]
        used.add(value[0])
        return value

    def widen(value):
        return value[0] if value[1] == MATRIX else program.broadcast(*value)

    while program.count < size:
        a, b, kind = choose(), choose(), source.randrange(8)
        if kind < 2:
            dim = source.choice([1, 1, 0])
            values.append((program.reduce(widen(a), dim),
                           ROW if dim == 1 else COLUMN))
        elif kind == 2 and a[1] == MATRIX and source.randrange(10) == 0:
            values.append((program.add(
                f"func.call @call({a[0]}) : ({MATRIX}) -> {MATRIX}"), MATRIX))
        elif a[1] == b[1]:
            values.append((program.binary("addf", a[0], b[0], a[1]), a[1]))
        else:
            values.append((program.binary("mulf", widen(a), widen(b)), MATRIX))
    results = [value for value in values[3:] if value[0] not in used]
    return program.finish([name for name, _ in results],
                          [kind for _, kind in results])


def add_branch(program, source, value, number):
    """Two element-wise operations on `value` and %x, and their sum."""
    first = program.binary(source.choice(["mulf", "addf", "subf"]), value, "%x")
    second = program.binary(source.choice(["mulf", "maximumf", "minimumf"]),
                            first, value)
    dim = 0 if number % 16 == 0 else 1
    return program.reduce(second, dim), ROW if dim == 1 else COLUMN


def make_branches(program, value, size):
    source = random.Random(size)
    branches = []
    while program.count < size:
        branches.append(add_branch(program, source, value, len(branches)))
    return program.finish(*zip(*branches))


def make_fan(size):
    return make_branches(Program(), "%x", size)


def make_broadcast(size):
    program = Program()
    total = program.broadcast(program.reduce("%x", 1), ROW)
    return make_branches(program, total, size)


def make_chain(size):
    program, value = Program(), "%x"
    while program.count < size:
        value = program.binary(["mulf", "addf", "subf"][program.count % 3],
                               value, "%x")
    return program.finish([value], [MATRIX])


def make_butterfly(size, width=64):
    program = Program()
    values = [program.argument() for _ in range(width)]
    distance = 1
    while program.count < size:
        values = [program.binary("addf" if i & distance else "subf",
                                 values[i], values[i ^ distance])
                  for i in range(width)]
        distance = 2 * distance % (width - 1)
    return program.finish(values, [MATRIX] * width)


def make_components(size):
    program, source, branches = Program(), random.Random(size), []
    while program.count < size:
        value = program.argument()
        square = program.binary(source.choice(["mulf", "addf"]), value, value)
        shifted = program.binary(source.choice(["subf", "maximumf"]), square,
                                 value)
        branches.append((program.reduce(shifted, 1), ROW))
    return program.finish(*zip(*branches))


def make_diamonds(size):
    program, value = Program(), "%x"
    while program.count < size:
        total = program.broadcast(program.reduce(value, 1), ROW)
        value = program.binary(
            "addf", program.binary("mulf", value, value),
            program.binary("subf", value, total))
    return program.finish([value], [MATRIX])


KINDS = {"layers": make_layers, "random": make_random, "fan": make_fan,
         "broadcast": make_broadcast, "chain": make_chain,
         "butterfly": make_butterfly, "components": make_components,
         "diamonds": make_diamonds}


def measure(tool, text, repetitions, options):
    """The counts of the fastest run, and the least microseconds of a processor."""
    def run(passes):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([tool, "-", "-o", "/dev/null", *passes],
                              input=text, text=True, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return done.stderr, 1e6 * (after.ru_utime - before.ru_utime +
                                   after.ru_stime - before.ru_stime)

    best, processor = None, []
    for _ in range(repetitions):
        report, time = run([f"--fusion-segment=print-statistics {options}"])
        processor.append(time)
        counts = {name: int(value) for value, name in
                  re.findall(r"^ +(\d+) ([a-z-]+)", report, re.MULTILINE)}
        if best is None or counts["search-us"] < best["search-us"]:
            best = counts
    without = min(run([])[1] for _ in range(repetitions))
    best["processor-us"] = max(1, min(processor) - without)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fusion_opt")
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS),
                        default=list(KINDS))
    parser.add_argument("--sizes", type=int, nargs="+",
                        default=[250, 1000, 2500, 10000])
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--options", default="", help="more options of the pass")
    arguments = parser.parse_args()
    for name in arguments.kinds:
        times = []
        for size in arguments.sizes:
            counts = measure(arguments.fusion_opt, KINDS[name](size),
                             arguments.repetitions, arguments.options)
            times.append(counts["processor-us"] / 1e3)
            # The search counts the graphs of its blocks, not DimClasses.
            print(f"{name} {size:6}: processor {times[-1]:8.1f} ms, search "
                  f"{counts['search-us'] / 1e3:.1f} ms, facts "
                  f"{counts['facts-us'] / 1e3:.1f} ms, match "
                  f"{counts['match-us'] / 1e3:.1f} ms, {counts['segments']} "
                  f"segments, {counts['outside']} outside, "
                  f"{counts['candidates']} candidates, {counts['remembered']} "
                  f"remembered, {counts['matches']} matches")
        if len(times) > 2:
            growth = (math.log(times[-1] / times[1]) /
                      math.log(arguments.sizes[-1] / arguments.sizes[1]))
            print(f"{name}: time grows with n^{growth:.2f}")


if __name__ == "__main__":
    main()

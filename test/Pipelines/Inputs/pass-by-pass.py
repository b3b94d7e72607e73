# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check that every phase of a pipeline can be printed and continued from.

usage: pass-by-pass.py FILE --PIPELINE[=OPTIONS]

Runs the pipeline's passes one at a time, with text in between, and after each
one the rest of the pipeline at once. The PTX must be the same every time.
"""
import importlib.util
import os
import subprocess
import sys

# The source tree stays as it is.
sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
SPEC = importlib.util.spec_from_file_location("extract_ptx", os.path.join(HERE, "../../Inputs/extract-ptx.py"))
EXTRACT = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(EXTRACT)


def fusion_opt(text, *options):
    done = subprocess.run(["fusion-opt", *options], input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"error: fusion-opt {' '.join(options)} failed:\n{done.stderr}")
    return done


def split(text):
    """The parts of `text` between its commas outside of any bracket."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "({") - (char in ")}")
        if char == "," and not depth:
            parts.append(text[start:at])
            start = at + 1
    return [part for part in parts + [text[start:]] if part]


def get_passes(text, pipeline):
    """The passes of a pipeline, each as a pipeline on its own."""
    dump = fusion_opt(text, pipeline, "--dump-pass-pipeline").stderr
    # Diagnostics, such as upstream's about a missing CUDA Toolkit, may follow.
    lines = dump.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("builtin.module("))
    last = lines.index(")", first)
    dump = " ".join(line.strip() for line in lines[first : last + 1])
    passes = []

    def add(anchor, body):
        for part in (p.strip() for p in split(body)):
            nested, _, rest = part.partition("(")
            if rest and "{" not in nested:
                add(anchor + [nested], rest[:-1])
            else:
                passes.append("".join(a + "(" for a in anchor) + part + ")" * len(anchor))

    add([], dump.strip())
    return passes


def main():
    path, pipeline = sys.argv[1:]
    with open(path) as source:
        text = source.read()
    expected = EXTRACT.extract(fusion_opt(text, pipeline).stdout)
    if not expected:
        sys.exit("error: expected PTX from the whole pipeline, but found none")
    passes = get_passes(text, pipeline)
    for number, name in enumerate(passes):
        text = fusion_opt(text, f"--pass-pipeline={name}").stdout
        rest = passes[number + 1 :]
        # builtin.module(a), builtin.module(gpu.module(b)) in one invocation.
        bodies = ",".join(p[len("builtin.module(") : -1] for p in rest)
        result = fusion_opt(text, f"--pass-pipeline=builtin.module({bodies})").stdout if rest else text
        if EXTRACT.extract(result) != expected:
            sys.exit(f"error: expected the same PTX when continued after {name}, but it differs")
        print(f"same PTX after {name.split('{')[0]}")
    print(f"{len(passes)} passes")


if __name__ == "__main__":
    main()

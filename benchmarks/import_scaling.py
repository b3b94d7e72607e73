#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time the import of long programs: it should be linear in their length.

usage: import_scaling.py [--fusion-opt FUSION-OPT] [--operations N] [--repeat R]

Writes programs of N and 2 N structured operations, chains of norms in which a row
scalar reaches the next norm, and imports each R times. Prints the least time of the
pass as --mlir-timing gives it, and the ratio of the two.
"""
import argparse
import re
import subprocess

HEADER = """#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
func.func @f(%x0: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 128.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %r = tensor.empty() : tensor<64x1xf32>
  %i = linalg.fill ins(%zero : f32) outs(%r : tensor<64x1xf32>) -> tensor<64x1xf32>
"""
# Three structured operations: a sum, a division of rows, a difference.
STEP = """  %s{0} = linalg.generic {{indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}}
      ins(%x{0} : tensor<64x128xf32>) outs(%i : tensor<64x1xf32>) {{
  ^bb0(%a: f32, %out: f32):
    %t = arith.addf %a, %out : f32
    linalg.yield %t : f32
  }} -> tensor<64x1xf32>
  %m{0} = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}}
      ins(%s{0} : tensor<64x1xf32>) outs(%r : tensor<64x1xf32>) {{
  ^bb0(%a: f32, %out: f32):
    %t = arith.divf %a, %n : f32
    linalg.yield %t : f32
  }} -> tensor<64x1xf32>
  %x{1} = linalg.generic {{indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}}
      ins(%x{0}, %m{0} : tensor<64x128xf32>, tensor<64x1xf32>) outs(%e : tensor<64x128xf32>) {{
  ^bb0(%a: f32, %b: f32, %out: f32):
    %t = arith.subf %a, %b : f32
    linalg.yield %t : f32
  }} -> tensor<64x128xf32>
"""


def write_program(operations):
    steps = operations // 3
    body = "".join(STEP.format(i, i + 1) for i in range(steps))
    return f"{HEADER}{body}  return %x{steps} : tensor<64x128xf32>\n}}\n"


def time_import(fusion_opt, text):
    """Seconds that the pass takes on `text`."""
    done = subprocess.run(
        [fusion_opt, "--convert-linalg-to-fusion", "--mlir-timing", "-o", "/dev/null"],
        input=text, capture_output=True, text=True, check=True,
    )
    return float(re.search(r"([0-9.]+) \([ 0-9.]+%\)\s+ConvertLinalgToFusion", done.stderr).group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fusion-opt", default="build/dev/bin/fusion-opt")
    parser.add_argument("--operations", type=int, default=10000)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    times = []
    for operations in (options.operations, 2 * options.operations):
        text = write_program(operations)
        times.append(min(time_import(options.fusion_opt, text) for _ in range(options.repeat)))
        print(f"{operations} operations: {times[-1]:.3f} s")
    print(f"ratio: {times[1] / times[0]:.2f}")


if __name__ == "__main__":
    main()

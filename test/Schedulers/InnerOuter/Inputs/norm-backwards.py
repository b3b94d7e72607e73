# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write the gradients of norms for shapes that no inner-outer kernel may hold.

usage: norm-backwards.py PROGRAMS MxN,...

PROGRAMS is the folder of programs.py. Each is a function of one module, in f32 and bf16.
"""
import re
import sys

folder, shapes = sys.argv[1:]
sys.path.insert(0, folder)
from programs import program  # noqa: E402

OPS = ("ln_bwd", "rms_bwd", "ln_bwd_residual", "rms_bwd_residual", "ln_bwd_dropout", "two_weights")
for shape in shapes.split(","):
    for element in ("f32", "bf16"):
        for op in OPS:
            text = program(op, tuple(map(int, shape.split("x"))), element)
            print(re.sub(r"func\.func @\w+", f"func.func @{op}_{element}_{shape}", text, count=1))

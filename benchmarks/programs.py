#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write a benchmark program as .mlir for any shape and element type.

usage: programs.py OP MxN TYPE   (writes to standard output)

OP is ln_bwd, rms_bwd, ln_bwd_residual or sums; TYPE is f32, f16 or bf16. Inputs
and results have TYPE, arithmetic and statistics are f32. The function's name is
the OP.
"""
import argparse


class Writer:
    """Collects the operations of one function over rows and columns."""

    def __init__(self, rows, columns, element):
        self.rows, self.columns, self.element = rows, columns, element
        self.lines, self.count = [], 0

    def type(self, space, element="f32"):
        shape = {"mn": f"{self.rows}x{self.columns}x", "m": f"{self.rows}x", "n": f"{self.columns}x"}[space]
        return f"tensor<{shape}{element}>"

    def emit(self, text):
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def widen(self, value, space):
        if self.element == "f32":
            return value
        return self.emit(f"arith.extf {value} : {self.type(space, self.element)} to {self.type(space)}")

    def narrow(self, value, space):
        if self.element == "f32":
            return value
        return self.emit(f"arith.truncf {value} : {self.type(space)} to {self.type(space, self.element)}")

    def binary(self, op, a, b, space="mn"):
        return self.emit(f"arith.{op} {a}, {b} fastmath<contract> : {self.type(space)}")

    def broadcast(self, value, space):
        dim = {"m": 0, "n": 1}[space]
        return self.emit(f"fusion.broadcast {value} dims = [{dim}] : {self.type(space)} -> {self.type('mn')}")

    def reduce(self, value, space):
        dim = {"m": 1, "n": 0}[space]
        return self.emit(f"fusion.reduce add {value} dims = [{dim}] fastmath<contract> : {self.type('mn')} -> {self.type(space)}")

    def row_mean(self, value):
        inverse = self.emit(f"arith.constant dense<{1.0 / self.columns:.9e}> : {self.type('m')}")
        total = self.reduce(value, "m")
        return self.broadcast(self.emit(f"arith.mulf {total}, {inverse} : {self.type('m')}"), "m")


def norm_backward(w, with_mean, with_residual):
    args = [("%dy", "mn", w.element), ("%x", "mn", w.element)]
    if with_mean:
        args.append(("%mean", "m", "f32"))
    args += [("%rstd", "m", "f32"), ("%gamma", "n", w.element)]
    if with_residual:
        args.append(("%res", "mn", w.element))
    dy, x = w.widen("%dy", "mn"), w.widen("%x", "mn")
    gamma = w.broadcast(w.widen("%gamma", "n"), "n")
    rstd = w.broadcast("%rstd", "m")
    if with_mean:
        x = w.binary("subf", x, w.broadcast("%mean", "m"))
    xhat = w.binary("mulf", x, rstd)
    wdy = w.binary("mulf", dy, gamma)
    c1 = w.row_mean(w.binary("mulf", wdy, xhat))
    d = w.binary("subf", wdy, w.binary("mulf", xhat, c1))
    if with_mean:
        d = w.binary("subf", d, w.row_mean(wdy))
    dx = w.binary("mulf", d, rstd)
    if with_residual:
        dx = w.binary("addf", dx, w.widen("%res", "mn"))
    results = [(w.narrow(dx, "mn"), "mn")]
    results.append((w.narrow(w.reduce(w.binary("mulf", dy, xhat), "n"), "n"), "n"))
    if with_mean:
        results.append((w.narrow(w.reduce(dy, "n"), "n"), "n"))
    return args, [(v, w.type(s, w.element)) for v, s in results]


def sums(w):
    x = w.widen("%x", "mn")
    return [("%x", "mn", w.element)], [(w.reduce(x, "m"), w.type("m")), (w.reduce(x, "n"), w.type("n"))]


OPS = {
    "ln_bwd": lambda w: norm_backward(w, True, False),
    "rms_bwd": lambda w: norm_backward(w, False, False),
    "ln_bwd_residual": lambda w: norm_backward(w, True, True),
    "sums": sums,
}


def program(op, rows, columns, element):
    w = Writer(rows, columns, element)
    args, results = OPS[op](w)
    signature = ", ".join(f"{n}: {w.type(s, e)}" for n, s, e in args)
    types = ", ".join(t for _, t in results)
    body = "\n".join(w.lines)
    values = ", ".join(v for v, _ in results)
    return f"func.func @{op}({signature}) -> ({types}) {{\n{body}\n  return {values} : {types}\n}}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("op", choices=OPS)
    parser.add_argument("shape", help="rows x columns, e.g. 2048x8192")
    parser.add_argument("type", choices=["f32", "f16", "bf16"])
    options = parser.parse_args()
    rows, columns = map(int, options.shape.split("x"))
    print(program(options.op, rows, columns, options.type), end="")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write a benchmark program as .mlir for any shape and element type.

usage: programs.py OP MxN TYPE   (writes to standard output)

OP is ln_bwd, rms_bwd, ln_bwd_residual, sums, ln_fwd, rms_fwd, residual_ln_fwd,
softmax, softmax_bwd, bias_res_ln, bias_res_ln_amax, row_sum, column_sum, full_sum,
transpose, add or bcast_reduce; rms_bwd_residual; ln_bwd_dropout (residual gradient
and the dropout before the norm, its mask a byte an element); two_weights (RMS-norm
backward, two weights share the row pass); gelu_bwd, geglu_bwd, swiglu_bwd (with the
gradients of the biases); column_stats (with the same of the rows) or amax (of rows
and of columns). TYPE is f32, f16 or bf16. Inputs and results have TYPE, arithmetic
and statistics are f32. The function's name is the OP.
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

    def binary(self, op, a, b, space="mn", flags="contract"):
        return self.emit(f"arith.{op} {a}, {b} fastmath<{flags}> : {self.type(space)}")

    def broadcast(self, value, space):
        dim = {"m": 0, "n": 1}[space]
        return self.emit(f"fusion.broadcast {value} dims = [{dim}] : {self.type(space)} -> {self.type('mn')}")

    def unary(self, op, a, flags, space="mn"):
        return self.emit(f"math.{op} {a} fastmath<{flags}> : {self.type(space)}")

    def constant(self, value, space):
        return self.emit(f"arith.constant dense<{value:.9e}> : {self.type(space)}")

    def reduce(self, value, space, kind="add", flags="contract"):
        dim = {"m": 1, "n": 0}[space]
        return self.emit(f"fusion.reduce {kind} {value} dims = [{dim}] fastmath<{flags}> : {self.type('mn')} -> {self.type(space)}")

    def reduce_all(self, value, kind="add"):
        return self.emit(f"fusion.reduce {kind} {value} dims = [0, 1] fastmath<contract> : {self.type('mn')} -> tensor<f32>")

    def mean(self, value):
        inverse = self.constant(1.0 / self.columns, "m")
        total = self.reduce(value, "m")
        return self.emit(f"arith.mulf {total}, {inverse} : {self.type('m')}")

    def row_mean(self, value):
        return self.broadcast(self.mean(value), "m")


def norm_backward(w, with_mean, with_residual=False, with_dropout=False):
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
    if with_dropout:
        args.append(("%mask", "mn", "i8"))
        dropped = w.emit(f"arith.constant dense<0> : {w.type('mn', 'i8')}")
        kept = w.emit(f"arith.cmpi ne, %mask, {dropped} : {w.type('mn', 'i8')}")
        scaled = w.binary("mulf", dx, w.constant(1.0 / 0.9, "mn"))
        nothing = w.constant(0.0, "mn")
        dh = w.emit(f"arith.select {kept}, {scaled}, {nothing} : {w.type('mn', 'i1')}, {w.type('mn')}")
        results.append((w.narrow(dh, "mn"), "mn"))
    results.append((w.narrow(w.reduce(w.binary("mulf", dy, xhat), "n"), "n"), "n"))
    if with_mean:
        results.append((w.narrow(w.reduce(dy, "n"), "n"), "n"))
    return args, [(v, w.type(s, w.element)) for v, s in results]


def two_weights(w):
    args = [("%dy1", "mn", w.element), ("%dy2", "mn", w.element), ("%x", "mn", w.element)]
    args += [("%rstd", "m", "f32"), ("%g1", "n", w.element), ("%g2", "n", w.element)]
    dys = [w.widen(v, "mn") for v in ("%dy1", "%dy2")]
    gammas = [w.broadcast(w.widen(v, "n"), "n") for v in ("%g1", "%g2")]
    rstd = w.broadcast("%rstd", "m")
    xhat = w.binary("mulf", w.widen("%x", "mn"), rstd)
    wdy = w.binary("addf", *(w.binary("mulf", dy, gamma) for dy, gamma in zip(dys, gammas)))
    c = w.row_mean(w.binary("mulf", wdy, xhat))
    dx = w.binary("mulf", w.binary("subf", wdy, w.binary("mulf", xhat, c)), rstd)
    results = [(w.narrow(dx, "mn"), w.type("mn", w.element))]
    for dy in dys:
        results.append((w.narrow(w.reduce(w.binary("mulf", dy, xhat), "n"), "n"), w.type("n", w.element)))
    return args, results


def gelu(w, x):
    """GELU (tanh form) of x, and its derivative."""
    half, one = w.constant(0.5, "mn"), w.constant(1.0, "mn")
    a, b, b3 = (w.constant(0.7978845608 * f, "mn") for f in (1.0, 0.044715, 3 * 0.044715))
    square = w.binary("mulf", x, x)
    z = w.binary("mulf", x, w.binary("addf", a, w.binary("mulf", b, square)))
    t = w.unary("tanh", z, "contract")
    left = w.binary("mulf", half, w.binary("addf", one, t))
    slope = w.binary("subf", one, w.binary("mulf", t, t))
    slope = w.binary("mulf", slope, w.binary("addf", a, w.binary("mulf", b3, square)))
    right = w.binary("mulf", w.binary("mulf", half, x), slope)
    return w.binary("mulf", x, left), w.binary("addf", left, right)


def silu(w, x):
    """x * sigmoid(x), and its derivative."""
    one = w.constant(1.0, "mn")
    sigmoid = w.binary("divf", one, w.binary("addf", one, w.unary("exp", w.emit(f"arith.negf {x} fastmath<contract> : {w.type('mn')}"), "contract")))
    rest = w.binary("mulf", x, w.binary("subf", one, sigmoid))
    return w.binary("mulf", x, sigmoid), w.binary("mulf", sigmoid, w.binary("addf", one, rest))


def gelu_backward(w):
    args = [("%dy", "mn", w.element), ("%x", "mn", w.element), ("%bias", "n", w.element)]
    x = w.binary("addf", w.widen("%x", "mn"), w.broadcast(w.widen("%bias", "n"), "n"))
    dx = w.binary("mulf", w.widen("%dy", "mn"), gelu(w, x)[1])
    return args, [(w.narrow(dx, "mn"), w.type("mn", w.element)), (w.reduce(dx, "n"), w.type("n"))]


def gated_backward(w, activation):
    args = [(v, "mn", w.element) for v in ("%dh", "%g", "%u")]
    dh, g, u = (w.widen(v, "mn") for v in ("%dh", "%g", "%u"))
    value, slope = activation(w, g)
    gradients = [w.binary("mulf", w.binary("mulf", dh, u), slope), w.binary("mulf", dh, value)]
    results = [(w.narrow(d, "mn"), w.type("mn", w.element)) for d in gradients]
    return args, results + [(w.reduce(d, "n"), w.type("n")) for d in gradients]


def column_statistics(w):
    x = w.widen("%x", "mn")
    square = w.binary("mulf", x, x)
    return [("%x", "mn", w.element)], [(w.reduce(v, s), w.type(s)) for s in "nm" for v in (x, square)]


def amax(w):
    magnitude = w.unary("absf", w.widen("%x", "mn"), "contract")
    return [("%x", "mn", w.element)], [(w.reduce(magnitude, s, "maximumf"), w.type(s)) for s in "mn"]


def sums(w):
    x = w.widen("%x", "mn")
    return [("%x", "mn", w.element)], [(w.reduce(x, "m"), w.type("m")), (w.reduce(x, "n"), w.type("n"))]


def bias_residual_norm(w, with_amax):
    """y = layer norm of x + bias + residual, and the largest magnitude in y."""
    args = [("%x", "mn", w.element), ("%bias", "n", w.element), ("%res", "mn", w.element),
            ("%gamma", "n", w.element), ("%beta", "n", w.element)]
    x = w.binary("addf", w.widen("%x", "mn"), w.broadcast(w.widen("%bias", "n"), "n"))
    x = w.binary("addf", x, w.widen("%res", "mn"))
    x = w.binary("subf", x, w.row_mean(x))
    variance = w.mean(w.binary("mulf", x, x))
    rstd = w.unary("rsqrt", w.binary("addf", variance, w.constant(1e-5, "m"), "m"), "afn", "m")
    y = w.binary("mulf", w.binary("mulf", x, w.broadcast(rstd, "m")), w.broadcast(w.widen("%gamma", "n"), "n"))
    y = w.binary("addf", y, w.broadcast(w.widen("%beta", "n"), "n"))
    results = [(w.narrow(y, "mn"), w.type("mn", w.element))]
    if with_amax:
        magnitude = w.emit(f"math.absf {y} : {w.type('mn')}")
        results.append((w.reduce_all(magnitude, "maximumf"), "tensor<f32>"))
    return args, results


def norm_forward(w, with_mean, with_residual):
    """y = (x - mean) * rstd * gamma + beta, and the statistics; with a residual
    x is the rounded x + bias + residual, which is a result too."""
    args, results = [("%x", "mn", w.element)], []
    x = w.widen("%x", "mn")
    if with_residual:
        args += [("%bias", "n", w.element), ("%res", "mn", w.element)]
        x = w.binary("addf", x, w.broadcast(w.widen("%bias", "n"), "n"))
        rounded = w.narrow(w.binary("addf", x, w.widen("%res", "mn")), "mn")
        results.append((rounded, w.type("mn", w.element)))
        x = w.widen(rounded, "mn")
    args.append(("%gamma", "n", w.element))
    statistics = []
    if with_mean:
        args.append(("%beta", "n", w.element))
        mean = w.mean(x)
        x = w.binary("subf", x, w.broadcast(mean, "m"))
        statistics.append((mean, w.type("m")))
    variance = w.mean(w.binary("mulf", x, x))
    rstd = w.unary("rsqrt", w.binary("addf", variance, w.constant(1e-5, "m"), "m"), "afn", "m")
    statistics.append((rstd, w.type("m")))
    y = w.binary("mulf", w.binary("mulf", x, w.broadcast(rstd, "m")), w.broadcast(w.widen("%gamma", "n"), "n"))
    if with_mean:
        y = w.binary("addf", y, w.broadcast(w.widen("%beta", "n"), "n"))
    results.append((w.narrow(y, "mn"), w.type("mn", w.element)))
    return args, results + statistics


def softmax(w):
    """With `reassoc` both reductions can take one exchange."""
    flags = "reassoc,contract"
    x = w.widen("%x", "mn")
    top = w.broadcast(w.reduce(x, "m", "maximumf"), "m")
    e = w.unary("exp", w.binary("subf", x, top, flags=flags), "reassoc,afn")
    total = w.reduce(e, "m", flags=flags)
    inverse = w.emit(f"arith.divf {w.constant(1.0, 'm')}, {total} : {w.type('m')}")
    y = w.narrow(w.binary("mulf", e, w.broadcast(inverse, "m")), "mn")
    return [("%x", "mn", w.element)], [(y, w.type("mn", w.element))]


def softmax_backward(w):
    y, dy = w.widen("%y", "mn"), w.widen("%dy", "mn")
    total = w.broadcast(w.reduce(w.binary("mulf", y, dy), "m"), "m")
    dx = w.narrow(w.binary("mulf", y, w.binary("subf", dy, total)), "mn")
    return [("%y", "mn", w.element), ("%dy", "mn", w.element)], [(dx, w.type("mn", w.element))]


def row_sum(w):
    return [("%x", "mn", w.element)], [(w.reduce(w.widen("%x", "mn"), "m"), w.type("m"))]


def column_sum(w):
    return [("%x", "mn", w.element)], [(w.reduce(w.widen("%x", "mn"), "n"), w.type("n"))]


def full_sum(w):
    return [("%x", "mn", w.element)], [(w.reduce_all(w.widen("%x", "mn")), "tensor<f32>")]


def transpose(w):
    result = f"tensor<{w.columns}x{w.rows}x{w.element}>"
    y = w.emit(f"fusion.transpose %x permutation = [1, 0] : {w.type('mn', w.element)} -> {result}")
    return [("%x", "mn", w.element)], [(y, result)]


def add(w):
    total = w.binary("addf", w.widen("%x", "mn"), w.widen("%y", "mn"))
    return [("%x", "mn", w.element), ("%y", "mn", w.element)], [(w.narrow(total, "mn"), w.type("mn", w.element))]


OPS = {
    "ln_bwd": lambda w: norm_backward(w, True, False),
    "rms_bwd": lambda w: norm_backward(w, False, False),
    "ln_bwd_residual": lambda w: norm_backward(w, True, True),
    "ln_bwd_dropout": lambda w: norm_backward(w, True, with_residual=True, with_dropout=True),
    "rms_bwd_residual": lambda w: norm_backward(w, False, with_residual=True),
    "two_weights": two_weights,
    "gelu_bwd": gelu_backward,
    "geglu_bwd": lambda w: gated_backward(w, gelu),
    "swiglu_bwd": lambda w: gated_backward(w, silu),
    "column_stats": column_statistics,
    "amax": amax,
    "sums": sums,
    "ln_fwd": lambda w: norm_forward(w, True, False),
    "rms_fwd": lambda w: norm_forward(w, False, False),
    "residual_ln_fwd": lambda w: norm_forward(w, True, True),
    "softmax": softmax,
    "softmax_bwd": softmax_backward,
    "bias_res_ln": lambda w: bias_residual_norm(w, False),
    "bias_res_ln_amax": lambda w: bias_residual_norm(w, True),
    "row_sum": row_sum,
    "column_sum": column_sum,
    "full_sum": full_sum,
    "transpose": transpose,
    "add": add,
    "bcast_reduce": None,
}


def broadcast_reduce(extents, element):
    """sum over i of x[n, i] * b[n, j], as a product of broadcasts."""
    n, i, j = extents
    x, b, y = f"tensor<{n}x{i}x1x{element}>", f"tensor<{n}x1x{j}x{element}>", f"tensor<{n}x{j}x{element}>"
    rows, columns, product = f"tensor<{n}x{i}x{element}>", f"tensor<{n}x{j}x{element}>", f"tensor<{n}x{i}x{j}x{element}>"
    return f"""func.func @bcast_reduce(%x: {x}, %b: {b}) -> {y} {{
  %v1 = fusion.squeeze %x dims = [2] : {x} -> {rows}
  %v2 = fusion.squeeze %b dims = [1] : {b} -> {columns}
  %v3 = fusion.broadcast %v1 dims = [0, 1] : {rows} -> {product}
  %v4 = fusion.broadcast %v2 dims = [0, 2] : {columns} -> {product}
  %v5 = arith.mulf %v3, %v4 fastmath<reassoc> : {product}
  %v6 = fusion.reduce add %v5 dims = [1] fastmath<reassoc> : {product} -> {y}
  return %v6 : {y}
}}
"""


def parse_shape(op, text):
    """The extents of "MxN" (NxIxJ for bcast_reduce)."""
    wanted = 3 if op == "bcast_reduce" else 2
    extents = text.split("x")
    if len(extents) != wanted or not all(e.isdecimal() and int(e) > 0 for e in extents):
        raise ValueError(f"expected {wanted} extents of at least 1 joined by x for {op}, but found '{text}'")
    return tuple(map(int, extents))


def program(op, extents, element):
    wanted = 3 if op == "bcast_reduce" else 2
    if len(extents) != wanted:
        raise ValueError(f"expected {wanted} extents for {op}, but found {len(extents)}")
    if op == "bcast_reduce":
        return broadcast_reduce(extents, element)
    rows, columns = extents
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
    parser.add_argument("shape", help="rows x columns, e.g. 2048x8192; NxIxJ for bcast_reduce")
    parser.add_argument("type", choices=["f32", "f16", "bf16"])
    options = parser.parse_args()
    try:
        print(program(options.op, parse_shape(options.op, options.shape), options.type), end="")
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write the corpus: modules as front ends lower them, with inputs and results.

usage: generate-corpus.py DIR [NAME...]

For each program DIR/NAME.mlir is what the front end gives, on linalg, and
DIR/NAME.npy the bytes of every argument and then of every result, one after the
other, in the types of the function; the results are what the framework computes on
the CPU in the same types.

Needed are torch, torch-mlir, jax and iree-base-compiler. They are tools of a
developer: nothing but this script uses them.
"""
import glob
import os
import subprocess
import sys
import sysconfig

import jax
import jax.numpy as jnp
import numpy as np
import torch
from functorch.compile import aot_function, make_boxed_func
from torch._decomp import core_aten_decompositions, get_decompositions
from torch.nn import functional
from torch_mlir import fx
from torch_mlir.extras.fx_decomp_util import get_decomposition_table

ROWS, COLUMNS = 6, 32
# Functions that give the text, the arguments and the results of a program, by name.
PROGRAMS = {}


# ---------------------------------------------------------------------------
# PyTorch
# ---------------------------------------------------------------------------


def to_numpy(tensor):
    tensor = tensor.detach().contiguous()
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy()
    return tensor.numpy()


def flatten(results):
    return list(results) if isinstance(results, (tuple, list)) else [results]


def torch_forward(function, *arguments):
    """A function of tensors through torch.export and torch-mlir."""

    class Module(torch.nn.Module):
        def forward(self, *inputs):
            return function(*inputs)

    module = function if isinstance(function, torch.nn.Module) else Module()
    module.eval()
    # PyTorch's own GELU: that of torch-mlir has 0.797724 for sqrt(2 / pi) in the tanh
    # form, which is 0.797885, and differs from PyTorch's results by 5e-5.
    table = {**get_decomposition_table(), **get_decompositions([torch.ops.aten.gelu])}
    text = str(
        fx.export_and_import(module, *arguments, output_type="linalg-on-tensors", decomposition_table=table)
    )
    with torch.no_grad():
        results = flatten(module(*arguments))
    return text, [to_numpy(a) for a in arguments], [to_numpy(r) for r in results]


def trace(function, arguments):
    """The forward and the backward graph that AOTAutograd gives, the results of the
    function, and random cotangents."""
    graphs = []

    def keep(graph, inputs):
        graphs.append(graph)
        return make_boxed_func(graph.forward)

    leaves = [a.clone().requires_grad_(a.is_floating_point()) for a in arguments]
    outputs = flatten(aot_function(function, keep, keep, decompositions=core_aten_decompositions())(*leaves))
    cotangents = [torch.randn_like(o) for o in outputs]
    torch.autograd.backward(outputs, cotangents)
    return *graphs, cotangents


class Recorder(torch.fx.Interpreter):
    """Keeps every value of a graph by its name."""

    def __init__(self, graph):
        super().__init__(graph)
        self.values = {}

    def run_node(self, node):
        self.values[node.name] = super().run_node(node)
        return self.values[node.name]


def torch_backward(function, *arguments):
    """The backward graph of a function of tensors."""
    forward, backward, cotangents = trace(function, arguments)
    recorder = Recorder(forward)
    with torch.no_grad():
        recorder.run(*arguments)
    inputs = []
    for node in backward.graph.nodes:
        if node.op == "placeholder" and node.name.startswith("tangents_"):
            inputs.append(cotangents[int(node.name.split("_")[-1]) - 1])
        elif node.op == "placeholder":
            inputs.append(recorder.values[node.name])
        elif node.op == "output":
            # An argument without gradient is None.
            node.args = (tuple(o for o in node.args[0] if o is not None),)
    backward.recompile()
    text = str(fx.stateless_fx_import(backward, output_type="linalg-on-tensors"))
    return text, [to_numpy(a) for a in inputs], [to_numpy(r) for r in flatten(backward(*inputs))]


def randn(*shape, dtype="float32"):
    return torch.randn(*shape).to(getattr(torch, dtype))


def layer_norm(x, w, b):
    return functional.layer_norm(x, (x.shape[-1],), w, b)


def rms_norm(x, w):
    wide = x.float()
    scale = torch.rsqrt((wide * wide).mean(-1, keepdim=True) + 1e-6)
    return (wide * scale).to(x.dtype) * w


def swiglu(gate, up):
    return functional.silu(gate) * up


def group_norm(x, w, b):
    return functional.group_norm(x, 2, w, b)


def batch_norm(x, w, b):
    return functional.batch_norm(x, None, None, w, b, training=True)


def masked_softmax(x):
    rows = torch.arange(x.shape[-2]).unsqueeze(1)
    columns = torch.arange(x.shape[-1]).unsqueeze(0)
    return torch.softmax(torch.where(columns <= rows, x, float("-inf")), -1)


def one_hot_cross_entropy(x, target):
    """The loss of classes without a gather: a comparison picks the class."""
    is_target = torch.arange(x.shape[1]).unsqueeze(0) == target.unsqueeze(1)
    return -torch.where(is_target, torch.log_softmax(x, -1), 0.0).sum(-1).mean()


def thunder_layer_norm_backward(x, w, mean, rstd, g):
    """The gradient of layer norm in the operations of Thunder's trace: each row
    scalar reaches its use through broadcast, copy, squeeze, broadcast and expand."""

    def spread(row):
        kept = row.unsqueeze(1).clone()
        again = kept.squeeze(1).unsqueeze(1).clone().clone()
        return again.expand(x.shape)

    centered = x - mean
    weight_grad = (g * (centered * rstd)).sum(0)
    bias_grad = g.sum(0)
    scaled = g * w
    by_rstd = (scaled * centered).sum(1).unsqueeze(1).clone()
    direct = scaled * rstd
    from_variance = -0.5 * by_rstd * rstd * rstd * rstd
    to_mean = spread((-direct).sum(1))
    from_mean = (1.0 / x.shape[1]) * to_mean
    spread_variance = spread(from_variance.squeeze(1))
    by_centered = (2.0 / x.shape[1]) * centered * spread_variance
    return direct + (from_mean + by_centered), weight_grad, bias_grad


class LayerNorm(torch.nn.Module):
    """A module with parameters of its own: they become resources."""

    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(COLUMNS)
        self.norm.weight.data.normal_()

    def forward(self, x):
        return self.norm(x)


def add_torch_programs():
    matrix = lambda dtype="float32": randn(ROWS, COLUMNS, dtype=dtype)  # noqa: E731
    vector = lambda dtype="float32": randn(COLUMNS, dtype=dtype)  # noqa: E731
    image = lambda: randn(2, 4, 3, 5)  # noqa: E731
    channels = lambda: randn(4)  # noqa: E731
    targets = lambda: torch.randint(0, COLUMNS, (ROWS,))  # noqa: E731
    forward = {
        "layer_norm_module": lambda: (LayerNorm(), matrix()),
        "layer_norm_f32": lambda: (layer_norm, matrix(), vector(), vector()),
        "layer_norm_bf16": lambda: (layer_norm, matrix("bfloat16"), vector("bfloat16"), vector("bfloat16")),
        "layer_norm_3d": lambda: (layer_norm, randn(2, 3, COLUMNS), vector(), vector()),
        "residual_layer_norm": lambda: (lambda x, y, w, b: (layer_norm(x + y, w, b), x + y), matrix(), matrix(), vector(), vector()),
        "rms_norm_f32": lambda: (rms_norm, matrix(), vector()),
        "rms_norm_bf16": lambda: (rms_norm, matrix("bfloat16"), vector("bfloat16")),
        "group_norm": lambda: (group_norm, image(), channels(), channels()),
        "batch_norm_training": lambda: (batch_norm, image(), channels(), channels()),
        "batch_norm_inference": lambda: (
            lambda x, m, v, w, b: functional.batch_norm(x, m, v, w, b),
            image(), channels(), channels().abs(), channels(), channels(),
        ),
        "instance_norm": lambda: (lambda x: functional.instance_norm(x), image()),
        "softmax_f32": lambda: (lambda x: torch.softmax(x, -1), matrix()),
        "softmax_bf16": lambda: (lambda x: torch.softmax(x, -1), matrix("bfloat16")),
        "softmax_columns": lambda: (lambda x: torch.softmax(x, 0), matrix()),
        "masked_softmax": lambda: (masked_softmax, matrix()),
        "log_softmax": lambda: (lambda x: torch.log_softmax(x, -1), matrix()),
        "gelu_erf": lambda: (functional.gelu, matrix()),
        "gelu_tanh": lambda: (lambda x: functional.gelu(x, approximate="tanh"), matrix()),
        "swiglu_f32": lambda: (swiglu, matrix(), matrix()),
        "swiglu_bf16": lambda: (swiglu, matrix("bfloat16"), matrix("bfloat16")),
        "cross_entropy": lambda: (functional.cross_entropy, matrix(), targets()),
        "cross_entropy_soft": lambda: (functional.cross_entropy, matrix(), torch.softmax(matrix(), -1)),
        "cross_entropy_one_hot": lambda: (one_hot_cross_entropy, matrix(), targets()),
        "max_and_argmax": lambda: (lambda x: torch.max(x, -1), matrix()),
        "moments": lambda: (lambda x: (x.mean(0), x.var(0), x.amax(1), x.amin(), x.prod(1)), matrix()),
        "counts": lambda: (lambda x: ((x > 0).sum(1), (x > 0).any(0), (x > 3).all(1)), matrix()),
        "transposed_add": lambda: (lambda x, y: x.t() + y, matrix(), randn(COLUMNS, ROWS)),
        "thunder_layer_norm_backward": lambda: (
            thunder_layer_norm_backward, matrix(), vector(), randn(ROWS, 1), randn(ROWS, 1).abs(), matrix(),
        ),
    }
    backward = {
        "layer_norm_backward_f32": lambda: (layer_norm, matrix(), vector(), vector()),
        "layer_norm_backward_bf16": lambda: (layer_norm, matrix("bfloat16"), vector("bfloat16"), vector("bfloat16")),
        "rms_norm_backward_f32": lambda: (rms_norm, matrix(), vector()),
        "rms_norm_backward_bf16": lambda: (rms_norm, matrix("bfloat16"), vector("bfloat16")),
        "group_norm_backward": lambda: (group_norm, image(), channels(), channels()),
        "batch_norm_backward": lambda: (batch_norm, image(), channels(), channels()),
        "softmax_backward_f32": lambda: (lambda x: torch.softmax(x, -1), matrix()),
        "softmax_backward_bf16": lambda: (lambda x: torch.softmax(x, -1), matrix("bfloat16")),
        "log_softmax_backward": lambda: (lambda x: torch.log_softmax(x, -1), matrix()),
        "gelu_backward_f32": lambda: (functional.gelu, matrix()),
        "gelu_backward_bf16": lambda: (lambda x: functional.gelu(x, approximate="tanh"), matrix("bfloat16")),
        "swiglu_backward_bf16": lambda: (swiglu, matrix("bfloat16"), matrix("bfloat16")),
        "cross_entropy_soft_backward": lambda: (functional.cross_entropy, matrix(), torch.softmax(matrix(), -1)),
        "cross_entropy_one_hot_backward": lambda: (one_hot_cross_entropy, matrix(), targets()),
    }
    for kind, table in (("forward", forward), ("backward", backward)):
        capture = torch_forward if kind == "forward" else torch_backward
        for name, make in table.items():
            PROGRAMS["torch_" + name] = lambda make=make, capture=capture: capture(*make())


# ---------------------------------------------------------------------------
# JAX, through the lowerings of StableHLO and of IREE
# ---------------------------------------------------------------------------


def run_tool(path, text, *options):
    done = subprocess.run([path, *options], input=text, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{os.path.basename(path)} {' '.join(options)} failed:\n{done.stderr}")
    return done.stdout


def lower_stablehlo(text):
    tool = glob.glob(os.path.join(sysconfig.get_paths()["purelib"], "torch_mlir/_mlir_libs/torch-mlir-opt"))[0]
    return run_tool(tool, text, "--inline", "--stablehlo-legalize-to-linalg", "--canonicalize", "--cse")


def lower_iree(text):
    tool = os.path.join(sysconfig.get_paths()["scripts"], "iree-opt")
    return run_tool(
        tool, text, "--inline", "--chlo-legalize-to-stablehlo",
        "--iree-stablehlo-to-stablehlo-preprocessing", "--iree-stablehlo-to-iree-input", "--canonicalize", "--cse"
    )


def capture_jax(lower, function, *arguments):
    # Every argument stays, used or not.
    text = lower(jax.jit(function, keep_unused=True).lower(*arguments).as_text())
    results = jax.tree_util.tree_leaves(jax.jit(function)(*arguments))
    return text, [np.asarray(a) for a in arguments], [np.asarray(r) for r in results]


def add_jax_programs():
    matrix = lambda dtype=np.float32: jnp.asarray(np.random.standard_normal((ROWS, COLUMNS)), dtype)  # noqa: E731
    vector = lambda dtype=np.float32: jnp.asarray(np.random.standard_normal(COLUMNS), dtype)  # noqa: E731

    def norm(x, w, b):
        mean = jnp.mean(x, -1, keepdims=True)
        centered = x - mean
        variance = jnp.mean(centered * centered, -1, keepdims=True)
        return centered * jax.lax.rsqrt(variance + 1e-5) * w + b

    def rms(x, w):
        return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * w

    def vjp(function):
        def backward(g, *arguments):
            return jax.vjp(function, *arguments)[1](g)

        return backward

    def logsumexp(x):
        return jax.scipy.special.logsumexp(x, axis=-1)

    table = {
        "layer_norm": lambda: (norm, matrix(), vector(), vector()),
        "layer_norm_backward": lambda: (vjp(norm), matrix(), matrix(), vector(), vector()),
        "rms_norm_backward": lambda: (vjp(rms), matrix(), matrix(), vector()),
        "softmax": lambda: (lambda x: jax.nn.softmax(x, -1), matrix()),
        "softmax_backward": lambda: (vjp(lambda x: jax.nn.softmax(x, -1)), matrix(), matrix()),
        "softmax_bf16": lambda: (lambda x: jax.nn.softmax(x, -1), matrix(jnp.bfloat16)),
        "gelu_backward": lambda: (vjp(lambda x: jax.nn.gelu(x, approximate=True)), matrix(), matrix()),
        "swiglu_bf16": lambda: (lambda x, y: jax.nn.silu(x) * y, matrix(jnp.bfloat16), matrix(jnp.bfloat16)),
        "logsumexp": lambda: (logsumexp, matrix()),
        "row_column_sums": lambda: (lambda x: (jnp.sum(x * x, 1), jnp.sum(x * x, 0)), matrix()),
        "causal_mask": lambda: (
            lambda x: jnp.where(jax.lax.broadcasted_iota(jnp.int32, x.shape, 1) <= jax.lax.broadcasted_iota(jnp.int32, x.shape, 0), x, 0.0),
            matrix(),
        ),
    }
    for prefix, lower in (("jax", lower_stablehlo), ("iree", lower_iree)):
        for name, make in table.items():
            PROGRAMS[f"{prefix}_{name}"] = lambda make=make, lower=lower: capture_jax(lower, *make())


def main():
    folder, *names = sys.argv[1:]
    add_torch_programs()
    add_jax_programs()
    os.makedirs(folder, exist_ok=True)
    unknown = [name for name in names if name not in PROGRAMS]
    if unknown:
        sys.exit(f"error: no programs {unknown}; there are {', '.join(PROGRAMS)}")
    for name in names or PROGRAMS:
        # Each program has its own seed: its data does not depend on the others.
        torch.manual_seed(0)
        np.random.seed(0)
        text, arguments, results = PROGRAMS[name]()
        with open(os.path.join(folder, name + ".mlir"), "w") as file:
            file.write(text)
        data = b"".join(np.ascontiguousarray(a).tobytes() for a in arguments + results)
        np.save(os.path.join(folder, name + ".npy"), np.frombuffer(data, np.uint8))
        print(name, len(text), len(data))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a user would run instead, on one CUDA device.

A workload is an op of programs.py as PyTorch calls: its inputs and its mathematics in
f32. A peer makes a callable of a workload, or None if it does not cover the op. Peers
are optional imports: one that cannot be imported is reported by name.

    eager        PyTorch's own kernels, the call that a model makes
    compile      TorchInductor on the mathematics
    compile_mix  TorchInductor, its fusion of row and column reductions forced on
    liger        Liger-Kernel (Triton)
    apex_fast    apex.contrib.layer_norm
    apex_fused   apex.normalization
    quack        QuACK (CuTe DSL)

Times are taken as fusion-runner takes them (docs/Benchmarking.md): replays of a CUDA
graph, the L2 cache reset and overwritten before each, events around each, the median. A
call that cannot be captured is timed as it is and marked 'direct'.
"""
import ctypes
import statistics

import torch

EPS = 1e-5
TYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}


# ---- workloads ----


def ln_bwd(dy, x, mean, rstd, w, b):
    dyf, xhat = dy.float(), (x.float() - mean) * rstd
    wdy = dyf * w.float()
    c1, c2 = (wdy * xhat).mean(-1, keepdim=True), wdy.mean(-1, keepdim=True)
    dx = (wdy - xhat * c1 - c2) * rstd
    return dx.to(x.dtype), (dyf * xhat).sum(0).to(w.dtype), dyf.sum(0).to(w.dtype)


def rms_bwd(dy, x, rstd, w):
    dyf, xhat = dy.float(), x.float() * rstd
    wdy = dyf * w.float()
    c1 = (wdy * xhat).mean(-1, keepdim=True)
    return ((wdy - xhat * c1) * rstd).to(x.dtype), (dyf * xhat).sum(0).to(w.dtype)


def normalize(h, w, b):
    mean = h.mean(-1, keepdim=True)
    centred = h - mean
    rstd = torch.rsqrt((centred * centred).mean(-1, keepdim=True) + EPS)
    return centred * rstd * w.float() + b.float(), mean, rstd


def ln_fwd(x, w, b):
    y, mean, rstd = normalize(x.float(), w, b)
    return y.to(x.dtype), mean, rstd


def rms_fwd(x, w):
    xf = x.float()
    rstd = torch.rsqrt((xf * xf).mean(-1, keepdim=True) + EPS)
    return (xf * rstd * w.float()).to(x.dtype), rstd


def bias_res_ln(x, bias, res, w, b):
    return normalize(x.float() + bias.float() + res.float(), w, b)[0].to(x.dtype)


def bias_res_ln_amax(x, bias, res, w, b):
    y = normalize(x.float() + bias.float() + res.float(), w, b)[0]
    return y.to(x.dtype), y.abs().amax()


def softmax(x):
    return torch.softmax(x.float(), -1).to(x.dtype)


def softmax_bwd(dy, y):
    dyf, yf = dy.float(), y.float()
    return (yf * (dyf - (dyf * yf).sum(-1, keepdim=True))).to(y.dtype)


def row_sum(x):
    return x.float().sum(1)


def column_sum(x):
    return x.float().sum(0)


def full_sum(x):
    return x.float().sum()


def transpose(x):
    return x.t().contiguous()


def add(x, y):
    return (x.float() + y.float()).to(x.dtype)


def bcast_reduce(x, b):
    return (x * b).sum(1)


WORKLOADS = {f.__name__: f for f in (ln_bwd, rms_bwd, ln_fwd, rms_fwd, bias_res_ln, bias_res_ln_amax, softmax, softmax_bwd,
                                     row_sum, column_sum, full_sum, transpose, add, bcast_reduce)}


def make_inputs(op, extents, element):
    """The arguments of a workload by name, of random numbers."""
    dtype = TYPES[element]
    generator = torch.Generator(device="cuda").manual_seed(0)

    def random(*shape):
        return torch.randn(*shape, device="cuda", generator=generator).to(dtype)

    if op == "bcast_reduce":
        n, i, j = extents
        return {"x": random(n, i, 1), "b": random(n, 1, j)}
    m, n = extents
    if op == "softmax_bwd":
        return {"dy": random(m, n), "y": torch.softmax(random(m, n).float(), -1).to(dtype)}
    if op == "add":
        return {"x": random(m, n), "y": random(m, n)}
    inputs = {"x": random(m, n)}
    if op in ("bias_res_ln", "bias_res_ln_amax"):
        inputs |= {"bias": random(n), "res": random(m, n)}
    if op in ("ln_bwd", "rms_bwd"):
        xf = inputs["x"].float()
        inputs["dy"] = random(m, n)
        if op == "ln_bwd":
            inputs["mean"] = xf.mean(-1, keepdim=True)
            xf = xf - inputs["mean"]
        inputs["rstd"] = torch.rsqrt((xf * xf).mean(-1, keepdim=True) + EPS)
    if op in ("ln_bwd", "rms_bwd", "ln_fwd", "rms_fwd", "bias_res_ln", "bias_res_ln_amax"):
        inputs["w"] = random(n)
    if op in ("ln_bwd", "ln_fwd", "bias_res_ln", "bias_res_ln_amax"):
        inputs["b"] = random(n)
    return inputs


# ---- peers: each returns a callable of no arguments, or None where it does not cover the op ----


def eager(op, a, extents):
    n, aten = extents[-1], torch.ops.aten
    if op == "ln_bwd":
        return lambda: aten.native_layer_norm_backward(a["dy"], a["x"], [n], a["mean"], a["rstd"], a["w"], a["b"], [True] * 3)
    if op == "rms_bwd":
        backward = getattr(aten, "_fused_rms_norm_backward", None)
        return backward and (lambda: backward(a["dy"], a["x"], [n], a["rstd"], a["w"], [True] * 2))
    if op == "ln_fwd":
        return lambda: aten.native_layer_norm(a["x"], [n], a["w"], a["b"], EPS)
    if op == "rms_fwd":
        return lambda: torch.nn.functional.rms_norm(a["x"], [n], a["w"], EPS)
    if op == "softmax":
        return lambda: torch.softmax(a["x"], -1)
    if op == "softmax_bwd":
        return lambda: aten._softmax_backward_data(a["dy"], a["y"], -1, a["y"].dtype)
    if op in ("bias_res_ln", "bias_res_ln_amax"):
        def call():
            y = torch.nn.functional.layer_norm(a["x"] + a["bias"] + a["res"], [n], a["w"], a["b"], EPS)
            return y if op == "bias_res_ln" else (y, y.abs().amax())
        return call
    if op in ("row_sum", "column_sum", "full_sum"):
        dims = {"row_sum": 1, "column_sum": 0, "full_sum": [0, 1]}[op]
        return lambda: torch.sum(a["x"], dims, dtype=torch.float32)
    if op == "add":
        return lambda: a["x"] + a["y"]
    return lambda: WORKLOADS[op](**a)


def compiled(op, a, extents):
    torch._dynamo.reset()
    function = torch.compile(WORKLOADS[op], dynamic=False, fullgraph=True)
    return lambda: function(**a)


def compiled_mix(op, a, extents):
    import torch._inductor.config as config
    if op not in ("ln_bwd", "rms_bwd") or not hasattr(config.triton, "mix_order_reduction"):
        return None
    config.triton.mix_order_reduction = True
    return compiled(op, a, extents)


def liger(op, a, extents):
    from liger_kernel.ops import layer_norm, rms_norm
    if op == "ln_bwd":
        mean, rstd = a["mean"].view(-1), a["rstd"].view(-1)
        return lambda: layer_norm.layer_norm_backward(a["dy"], a["x"], a["w"], a["b"], mean, rstd)
    if op == "ln_fwd":
        return lambda: layer_norm.layer_norm_forward(a["x"], a["w"], a["b"], EPS)
    if op == "rms_fwd":
        return lambda: rms_norm.rms_norm_forward(a["x"], a["w"], EPS, 0.0, "llama", None)
    if op == "rms_bwd":
        _, _, rstd, block, warps, mode = rms_norm.rms_norm_forward(a["x"], a["w"], EPS, 0.0, "llama", None)
        return lambda: rms_norm.rms_norm_backward(a["dy"], a["x"], a["w"], rstd, 0.0, mode, block, warps, False, None)
    return None


def apex_fast(op, a, extents):
    import fast_layer_norm
    if op == "ln_bwd":
        mean, rstd = a["mean"].view(-1), a["rstd"].view(-1)
        return lambda: fast_layer_norm.ln_bwd(a["dy"], a["x"], mean, rstd, a["w"], None, False)
    if op == "ln_fwd":
        return lambda: fast_layer_norm.ln_fwd(a["x"], a["w"], a["b"], EPS)
    return None


def apex_fused(op, a, extents):
    import fused_layer_norm_cuda as fused
    shape = (extents[-1],)
    if op == "ln_bwd":
        mean, rstd = a["mean"].view(-1), a["rstd"].view(-1)
        return lambda: fused.backward_affine(a["dy"], mean, rstd, a["x"], shape, a["w"], a["b"], EPS, False)
    if op == "ln_fwd":
        return lambda: fused.forward_affine(a["x"], shape, a["w"], a["b"], EPS)
    return None


def quack(op, a, extents):
    if op == "ln_bwd":
        from quack.rmsnorm import layernorm_bwd
        mean, rstd = a["mean"].view(-1), a["rstd"].view(-1)
        return lambda: layernorm_bwd(a["x"], a["w"], a["dy"], rstd, mean)
    if op == "ln_fwd":
        from quack.rmsnorm import layernorm_fwd
        weight, bias = a["w"].float(), a["b"].float()  # It takes no others.
        return lambda: layernorm_fwd(a["x"], weight, bias, EPS, return_rstd=True, return_mean=True)
    if op == "rms_bwd":
        from quack.rmsnorm import rmsnorm_bwd
        return lambda: rmsnorm_bwd(a["x"], a["w"], a["dy"], a["rstd"].view(-1))
    if op == "rms_fwd":
        from quack.rmsnorm import rmsnorm_fwd
        return lambda: rmsnorm_fwd(a["x"], a["w"], eps=EPS)
    if op == "softmax":
        from quack.softmax import softmax_fwd
        return lambda: softmax_fwd(a["x"])
    if op == "softmax_bwd":
        from quack.softmax import softmax_bwd as backward
        return lambda: backward(a["dy"], a["y"])
    return None


PEERS = {"eager": eager, "compile": compiled, "compile_mix": compiled_mix, "liger": liger, "apex_fast": apex_fast,
         "apex_fused": apex_fused, "quack": quack}


# ---- measuring ----


def flatten(result):
    return [t for t in (result if isinstance(result, (tuple, list)) else [result]) if torch.is_tensor(t)]


def get_error(op, inputs, result):
    """The worst relative L2 error of the results against the workload in f64."""
    narrow = torch.Tensor.float
    torch.Tensor.float = lambda self: self.double()
    try:
        wanted = flatten(WORKLOADS[op](**{name: value.double() for name, value in inputs.items()}))
    finally:
        torch.Tensor.float = narrow
    left, worst = flatten(result), 0.0
    for reference in wanted:
        same = next((i for i, t in enumerate(left) if t.numel() == reference.numel()), None)
        if same is None:
            continue
        got = left.pop(same)
        worst = max(worst, ((got.double().reshape(-1) - reference.reshape(-1)).norm() / reference.norm()).item())
    return worst


def capture(call):
    """A replay of the call as a CUDA graph, or the call itself, and which of them."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            call()
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    try:
        with torch.cuda.graph(graph):
            call()
        graph.replay()
        torch.cuda.synchronize()
        return graph.replay, "graph"
    except RuntimeError:
        torch.cuda.synchronize()
        return call, "direct"


def time_replays(replay, count):
    """The median of `count` replays in microseconds, after 10 that are not timed."""
    cache = torch.cuda.get_device_properties(0).L2_cache_size
    flushed = torch.empty(max(256 << 20, 2 * cache), dtype=torch.uint8, device="cuda")
    events = [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(count)]
    driver = ctypes.CDLL("libcuda.so.1")

    def empty():
        # Lines that the replay before asked to keep would outlive the fill.
        torch.cuda.synchronize()
        result = driver.cuCtxResetPersistingL2Cache()
        if result not in (0, 801):  # CUDA_ERROR_NOT_SUPPORTED: nothing is kept.
            raise RuntimeError(f"cuCtxResetPersistingL2Cache failed: {result}")
        flushed.zero_()

    for _ in range(10):
        empty()
        replay()
    for begin, end in events:
        empty()
        begin.record()
        replay()
        end.record()
    torch.cuda.synchronize()
    return statistics.median(begin.elapsed_time(end) * 1e3 for begin, end in events)


def measure_copy():
    """Bytes read plus written per second by a copy of 4 GiB."""
    source = torch.randint(-2**31, 2**31 - 1, (1 << 30,), dtype=torch.int32, device="cuda")
    target = torch.empty_like(source)
    events = [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(30)]
    for _ in range(5):
        target.copy_(source)
    # All of them queued: a copy that the host waits for starts late (measured: up to 1.5 %).
    for begin, end in events:
        begin.record()
        target.copy_(source)
        end.record()
    torch.cuda.synchronize()
    times = [begin.elapsed_time(end) for begin, end in events]
    return 2 * source.nbytes / (statistics.median(times) * 1e-3)


class PeerBench:
    """Times peers on workloads. A peer that cannot be imported is left out once."""

    def __init__(self, names, replays):
        self.names, self.replays = list(names), replays
        self.missing = {}
        self.copy_bytes_per_second = measure_copy()
        torch.cuda.empty_cache()

    def run(self, op, shape, element):
        """A row for each peer that covers the case: time, error, or what it failed with."""
        extents = tuple(int(x) for x in shape.split("x"))
        inputs = make_inputs(op, extents, element)
        rows = {}
        for name in self.names:
            if name in self.missing:
                continue
            try:
                call = PEERS[name](op, inputs, extents)
                if call is None:
                    continue
                error = get_error(op, inputs, call())
                replay, how = capture(call)
                rows[name] = {"median_us": time_replays(replay, self.replays), "relative_l2": error, "timed": how}
            except ImportError as missing:
                self.missing[name] = str(missing)
            except Exception as failure:  # What a peer cannot do is a result, too.
                rows[name] = {"failed": f"{type(failure).__name__}: {failure}"[:200]}
        del inputs
        torch.cuda.empty_cache()
        return rows

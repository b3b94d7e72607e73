# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs that are measured: sets of (op, shape, element type).

An op is one of programs.py. `select` reads what a command line asks for.
"""
NORM_BACKWARD = [("2048x1024", "f32"), ("2048x8192", "f32"), ("2048x10240", "f32"), ("2048x14336", "f32"),
                 ("2048x16384", "f32"), ("16384x768", "bf16"), ("16384x1024", "bf16"), ("16384x2048", "bf16"),
                 ("16384x4096", "bf16"), ("16384x5120", "bf16"), ("16384x8192", "bf16"), ("16384x12288", "bf16"),
                 ("8192x16384", "bf16"), ("8192x32768", "bf16"), ("4096x65536", "bf16")]
# Sizes that no schedule was tuned on.
UNTUNED = [(f"16384x{n}", "bf16") for n in (1000, 1536, 2304, 2560, 3584, 6656)] \
    + [(f"8192x{n}", "bf16") for n in (11008, 13824, 18432, 28672, 53248)] \
    + [("4099x4096", "bf16"), ("4099x8192", "bf16")]
FORWARD = [("16384x4096", "bf16"), ("8192x16384", "bf16"), ("4096x65536", "bf16")]


def _cases(ops, shapes):
    return [(op, shape, element) for op in ops for shape, element in shapes]


SETS = {
    "ln_bwd": _cases(["ln_bwd"], NORM_BACKWARD),
    "rms_bwd": _cases(["rms_bwd"], NORM_BACKWARD),
    "untuned": _cases(["ln_bwd"], UNTUNED),
    "forward": _cases(["ln_fwd"], [("2048x10240", "f32"), *FORWARD, ("16384x1024", "bf16")])
    + _cases(["rms_fwd"], FORWARD)
    + _cases(["softmax"], [*FORWARD, ("16384x1024", "bf16")])
    + _cases(["softmax_bwd", "bias_res_ln"], FORWARD),
    "sums": _cases(["row_sum", "column_sum", "full_sum"], [(s, t) for s in ("16384x4096", "4096x16384") for t in ("f32", "bf16")])
    + _cases(["transpose"], [("16384x4096", "bf16"), ("4096x16384", "bf16")])
    + [("add", "16384x8192", "bf16")],
    "algebra": [("bcast_reduce", "64x2048x2048", "f32"), ("bcast_reduce", "8x8192x8192", "f32"),
                ("bias_res_ln_amax", "2048x8192", "f32"), ("bias_res_ln_amax", "16384x4096", "bf16"),
                ("bias_res_ln_amax", "16384x8192", "bf16")],
    "quick": [("ln_bwd", "2048x1024", "f32"), ("ln_bwd", "2048x10240", "f32"), ("ln_bwd", "16384x4096", "bf16"),
              ("softmax", "16384x4096", "bf16")],
}
SETS["all"] = [case for name in ("ln_bwd", "rms_bwd", "forward", "sums", "algebra") for case in SETS[name]]


def select(text):
    """The cases of sets and of op:shape:type, separated by commas."""
    cases = []
    for word in text.split(","):
        if word in SETS:
            cases += SETS[word]
            continue
        fields = word.split(":")
        if len(fields) != 3 or fields[2] not in ("f32", "bf16", "f16"):
            raise ValueError(f"expected one of {', '.join(SETS)}, or op:shape:type, but found '{word}'")
        cases.append(tuple(fields))
    return list(dict.fromkeys(cases))

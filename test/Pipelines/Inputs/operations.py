# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write one program for each operation and element type that kernels have.

usage: operations.py

Each sums the rows and the columns of an operation's result, or reduces them by one
of the kinds; the extents leave a tail.
"""

ROWS, COLUMNS = 5, 24


def tensor(space, element):
    shape = {"mn": f"{ROWS}x{COLUMNS}x", "m": f"{ROWS}x", "n": f"{COLUMNS}x"}[space]
    return f"tensor<{shape}{element}>"


def program(name, element, body, result=None, kind="add"):
    """Reduces %y, which `body` computes from %x and %z."""
    result = result or element
    whole, row, column = (tensor(space, result) for space in ("mn", "m", "n"))
    print(f"func.func @{name}_{element}_{result}(%x: {tensor('mn', element)}, %z: {tensor('mn', element)}) -> ({row}, {column}) {{")
    print(f"  {body.format(t=tensor('mn', element), r=whole)}")
    print(f"  %r = fusion.reduce {kind} %y dims = [1] : {whole} -> {row}")
    print(f"  %c = fusion.reduce {kind} %y dims = [0] : {whole} -> {column}")
    print(f"  return %r, %c : {row}, {column}\n}}\n")


FLOAT_UNARY = """absf acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 floor log
log10 log1p log2 round roundeven rsqrt sin sinh sqrt tan tanh trunc""".split()
FLOAT_BINARY = """arith.addf arith.subf arith.mulf arith.divf arith.remf arith.maximumf arith.minimumf
arith.maxnumf arith.minnumf math.atan2 math.copysign math.powf""".split()
INTEGER_BINARY = """addi subi muli floordivsi remsi remui shli shrsi shrui
andi ori xori maxsi maxui minsi minui""".split()
INTEGER_DIVISION = "divsi divui ceildivsi ceildivui".split()
PREDICATES = "isnan isfinite isinf isnormal".split()

for element in ("f32", "f64", "f16", "bf16"):
    for op in FLOAT_UNARY:
        program(op, element, f"%y = math.{op} %x : {{t}}")
    for op in FLOAT_BINARY:
        program(op.split(".")[1], element, f"%y = {op} %x, %z : {{t}}")
    program("fma", element, "%y = math.fma %x, %x, %x : {t}")
    program("clampf", element, "%y = math.clampf %x to [%x, %x] : {t}")
    for op in PREDICATES:
        mask = tensor("mn", "i1")
        program(op, element, f"%p = math.{op} %x : {{t}}\n"
                f"  %y = arith.select %p, %x, %z : {mask}, {{t}}")
    for kind in "add mul minimumf maximumf minnumf maxnumf".split():
        program(f"reduce_{kind}", element, "%y = arith.negf %x : {t}", kind=kind)
    for integer in ("i32", "i64"):
        program("fptosi", element, "%y = arith.fptosi %x : {t} to {r}", integer)
        program("sitofp", integer, "%y = arith.sitofp %x : {t} to {r}", element)
for element in ("i32", "i64"):
    for op in INTEGER_BINARY:
        program(op, element, f"%y = arith.{op} %x, %z : {{t}}")
    # Other divisors may be zero, and then these are undefined.
    for op in INTEGER_DIVISION:
        program(op, element, f"%k = arith.constant dense<3> : {{t}}\n  %y = arith.{op} %x, %k : {{t}}")
    for op in "absi ctlz cttz ctpop".split():
        program(op, element, f"%y = math.{op} %x : {{t}}")
    for kind in "add mul minsi minui maxsi maxui and or xor".split():
        program(f"reduce_{kind}", element, "%y = arith.addi %x, %x : {t}", kind=kind)
program("sitofp", "i8", "%y = arith.sitofp %x : {t} to {r}", "f32")
program("extsi", "i16", "%y = arith.extsi %x : {t} to {r}", "i32")
program("extf", "bf16", "%y = arith.extf %x : {t} to {r}", "f32")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write a program that multiplies a tensor by COUNT scalar arguments and sums
its rows and columns.

usage: many-scalars.py COUNT
"""
import sys

count = int(sys.argv[1])
space, row, column = "tensor<4x8xf32>", "tensor<4xf32>", "tensor<8xf32>"
scalars = "".join(f", %s{i}: f32" for i in range(count))
print(f"func.func @f(%v0: {space}{scalars}) -> ({row}, {column}) {{")
for i in range(count):
    print(f"  %t{i} = tensor.splat %s{i} : {space}")
    print(f"  %v{i + 1} = arith.mulf %v{i}, %t{i} : {space}")
print(f"  %r = fusion.reduce add %v{count} dims = [1] : {space} -> {row}")
print(f"  %c = fusion.reduce add %v{count} dims = [0] : {space} -> {column}")
print(f"  return %r, %c : {row}, {column}\n}}")

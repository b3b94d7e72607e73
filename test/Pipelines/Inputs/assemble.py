# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assemble every .ptx file of a folder.

usage: assemble.py PTXAS CHIP DIR

Prints the names of the files; the first that does not assemble is an error.
"""
import os
import subprocess
import sys

ptxas, chip, folder = sys.argv[1:]
for name in sorted(os.listdir(folder)):
    if not name.endswith(".ptx"):
        continue
    path = os.path.join(folder, name)
    done = subprocess.run([ptxas, f"-arch={chip}", path, "-o", os.devnull], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"error: expected {name} to assemble, but ptxas says\n{done.stderr}")
    print(name)

#!/usr/bin/env python3
"""Prints the ```mlir blocks of a Markdown file, split by `// -----`.

usage: extract_mlir.py FILE.md
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys


def main(argv):
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with open(argv[1], encoding="utf-8") as f:
        blocks = re.findall(r"^```mlir\n(.*?)^```", f.read(), re.MULTILINE | re.DOTALL)
    if not blocks:
        print(f"error: expected ```mlir blocks in '{argv[1]}', but found none",
              file=sys.stderr)
        return 1
    print("// -----\n".join(blocks), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))

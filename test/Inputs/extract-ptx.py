# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write the PTX of every gpu.binary of a module.

usage: extract-ptx.py [FILE] [-o DIR]

Reads standard input without FILE. With -o each binary goes to DIR/NAME.ptx,
else all go to standard output. No PTX at all is an error.
"""
import argparse
import os
import re
import sys

BINARY = re.compile(r'gpu\.binary @("?)([^"\s\[]+)\1.*?assembly = "((?:[^"\\]|\\.)*)"', re.S)
ESCAPE = re.compile(r'\\([0-9A-Fa-f]{2}|.)')


def unescape(match):
    text = match.group(1)
    return chr(int(text, 16)) if len(text) == 2 else text


def extract(module):
    """Pairs of name and PTX, in the order of the module."""
    return [(name, ESCAPE.sub(unescape, text).rstrip("\0")) for _, name, text in BINARY.findall(module)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=argparse.FileType(), default=sys.stdin)
    parser.add_argument("-o", dest="folder")
    options = parser.parse_args()
    binaries = extract(options.file.read())
    if not binaries:
        sys.exit("error: expected a gpu.binary that holds PTX, but found none")
    for name, ptx in binaries:
        if not options.folder:
            print(ptx)
            continue
        os.makedirs(options.folder, exist_ok=True)
        with open(os.path.join(options.folder, name + ".ptx"), "w") as out:
            out.write(ptx)


if __name__ == "__main__":
    main()

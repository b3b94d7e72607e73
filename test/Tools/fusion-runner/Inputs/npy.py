"""npy.py write FILE DESCR SHAPE ELEMENT...: writes a .npy file without NumPy.
npy.py print FILE: prints type, shape and elements.

DESCR is a type such as <f4; SHAPE is a Python tuple."""

import ast
import struct
import sys

FORMATS = {"f4": "f", "f8": "d", "i4": "i", "i8": "q", "u2": "H", "u1": "B", "b1": "?"}


def write(path, descr, shape, elements):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    header += " " * (-(len(header) + 11) % 64) + "\n"
    code = FORMATS[descr[1:]]
    values = [float(e) if code in "fd" else int(e) for e in elements]
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode())
        file.write(struct.pack("<%d%s" % (len(values), code), *values))


def show(path):
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack_from("<H", data, 8)
    header = ast.literal_eval(data[10 : 10 + length].decode().strip())
    body = data[10 + length :]
    code = FORMATS[header["descr"][1:]]
    count = len(body) // struct.calcsize(code)
    print(header["descr"], header["shape"], *struct.unpack("<%d%s" % (count, code), body))


if sys.argv[1] == "write":
    write(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:])
else:
    show(sys.argv[2])

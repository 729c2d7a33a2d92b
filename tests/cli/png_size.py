#!/usr/bin/env python3
"""Prints path, width and height of PNG files, a line each."""
import struct
import sys

for path in sys.argv[1:]:
    with open(path, "rb") as file:
        start = file.read(24)
    assert start[:8] == b"\x89PNG\r\n\x1a\n", path
    print(path, *struct.unpack(">II", start[16:24]))

#!/usr/bin/env python3
"""Writes small PNGs for overlay: pictures/{a,b}.png, gray, 4 wide and 2 high; truth/ and pred/, their label maps.

In the truth the left half is class 0, the right one class 1; the prediction is class 1 everywhere.
"""
import argparse
import pathlib
import struct
import zlib

WIDTH, HEIGHT = 4, 2
GRAY, INDEXED = 0, 3


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def write_png(path, colour, rows):
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, colour, 0, 0, 0)
    palette = chunk(b"PLTE", bytes(range(6))) if colour == INDEXED else b""
    pixels = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + palette + chunk(b"IDAT", pixels) + chunk(b"IEND", b""))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--narrow", action="store_true", help="the prediction of b is a column too narrow")
    parser.add_argument("--without", metavar="NAME", help="no prediction of this picture")
    arguments = parser.parse_args()
    for name in "ab":
        width = WIDTH - (arguments.narrow and name == "b")
        write_png(pathlib.Path("pictures", name + ".png"), GRAY, [[128] * WIDTH] * HEIGHT)
        write_png(pathlib.Path("truth", name + ".png"), INDEXED, [[0, 0, 1, 1]] * HEIGHT)
        if name != arguments.without:
            write_png(pathlib.Path("pred", name + ".png"), INDEXED, [[1] * width] * HEIGHT)


if __name__ == "__main__":
    main()

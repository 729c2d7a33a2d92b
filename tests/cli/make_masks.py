#!/usr/bin/env python3
"""Writes masks of one sequence: FOLDER/00000.png, 00001.png, ...

usage: make_masks.py FOLDER HEIGHTxWIDTH FRAMES [ID:ROW,COL,HEIGHT,WIDTH[@FIRST-LAST]]... [--store KIND]
A box of an id is drawn over what came before it, in all frames or in those from FIRST to LAST (counted from 0). KIND is
indexed8 (as it is without --store), indexed2, gray, gray16, or rgb in the colours of PASCAL VOC.
"""
import argparse
import pathlib
import re
import struct
import zlib

GRAY, RGB, INDEXED = 0, 2, 3
STORES = {"indexed8": (8, INDEXED), "indexed2": (2, INDEXED), "gray": (8, GRAY), "gray16": (16, GRAY), "rgb": (8, RGB)}
BOX = re.compile(r"(\d+):(\d+),(\d+),(\d+),(\d+)(?:@(\d+)-(\d+))?")


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def colour_of(label):
    """The bits of a label, three by three, from the top of red, green and blue."""
    rgb = [0, 0, 0]
    for bit in range(8):
        rgb[bit % 3] |= (label >> bit & 1) << 7 - bit // 3
    return bytes(rgb)


def packed(row, bits):
    """Samples of fewer than 8 bits: the first one on top."""
    per_byte = 8 // bits
    row = row + [0] * (-len(row) % per_byte)
    return bytes(sum(row[i + k] << (8 - bits * (k + 1)) for k in range(per_byte)) for i in range(0, len(row), per_byte))


def row_bytes(row, store):
    if store == "rgb":
        return b"".join(colour_of(label) for label in row)
    if store == "gray16":
        return b"".join(struct.pack(">H", label) for label in row)
    return packed(row, 2) if store == "indexed2" else bytes(row)


def write_png(path, rows, store="indexed8"):
    depth, colour = STORES[store]
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), depth, colour, 0, 0, 0)
    n_colours = 1 << depth if colour == INDEXED else 0
    palette = chunk(b"PLTE", b"".join(colour_of(label) for label in range(n_colours))) if n_colours else b""
    pixels = zlib.compress(b"".join(b"\0" + row_bytes(row, store) for row in rows), 1)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + palette + chunk(b"IDAT", pixels) + chunk(b"IEND", b""))


def draw(height, width, boxes, frame):
    rows = [[0] * width for _ in range(height)]
    for label, top, left, n_rows, n_columns, first, last in boxes:
        if first <= frame <= last:
            for row in rows[top:top + n_rows]:
                row[left:left + n_columns] = [label] * len(row[left:left + n_columns])
    return rows


def parse_box(text, n_frames):
    found = BOX.fullmatch(text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text}: no box")
    numbers = [int(n) for n in found.groups()[:5]]
    return (*numbers, int(found[6] or 0), int(found[7] or n_frames - 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("size")
    parser.add_argument("frames", type=int)
    parser.add_argument("boxes", nargs="*")
    parser.add_argument("--store", choices=STORES, default="indexed8")
    arguments = parser.parse_args()
    height, width = (int(n) for n in arguments.size.split("x"))
    boxes = [parse_box(text, arguments.frames) for text in arguments.boxes]
    for frame in range(arguments.frames):
        write_png(arguments.folder / f"{frame:05d}.png", draw(height, width, boxes, frame), arguments.store)


if __name__ == "__main__":
    main()

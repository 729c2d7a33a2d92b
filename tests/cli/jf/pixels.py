"""Prints pixels of an RGB PNG, a line each: pixels.py FILE ROW,COLUMN..."""
import struct
import sys
import zlib


def rows_of(path):
    data = open(path, "rb").read()
    at, body = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", chunk[:10])
            assert (depth, colour) == (8, 2), path
        body += chunk if kind == b"IDAT" else b""
        at += 12 + length
    flat, step, above = zlib.decompress(body), 3 * width, [0] * (3 * width)
    for y in range(height):
        line = flat[y * (step + 1):(y + 1) * (step + 1)]
        row = []
        for i, value in enumerate(line[1:]):
            left, up, corner = row[i - 3] if i >= 3 else 0, above[i], above[i - 3] if i >= 3 else 0
            guess = left + up - corner
            paeth = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            row.append((value + (0, left, up, (left + up) // 2, paeth)[line[0]]) & 255)
        yield row
        above = row


def main():
    rows = list(rows_of(sys.argv[1]))
    for place in sys.argv[2:]:
        y, x = map(int, place.split(","))
        print(place, *rows[y][3 * x:3 * x + 3])


main()

"""Writes the seeds of pictures, numbers and COLMAP models: small files of each form that a parser takes. usage: make_corpus.py CORPUS_DIR

Findings are added by hand under names of their own. Needs NumPy and Pillow.
"""
import io
import pathlib
import struct
import sys
import zlib

import numpy as np
from PIL import Image

ROOT = pathlib.Path(sys.argv[1])


def save(folder, name, data):
    (ROOT / folder).mkdir(parents=True, exist_ok=True)
    (ROOT / folder / name).write_bytes(data)


def png(colour, depth, width, height, lines, palette=b"", interlaced=0, extra=b""):
    """lines: the filtered, unpacked scan lines."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + (chunk(b"PLTE", palette) if palette else b"") + extra +
            chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))


def pngs():
    palette = bytes(range(48))
    yield "indexed8", png(3, 8, 3, 2, b"\0\0\1\2\1\3\4\5", palette)
    yield "indexed4", png(3, 4, 3, 2, b"\0\x01\x20\2\x34\x50", palette)
    yield "indexed1", png(3, 1, 9, 1, b"\0\xaa\x80", palette[:6])
    yield "gray2", png(0, 2, 5, 1, b"\0\x1b\x40")
    yield "gray8", png(0, 8, 2, 2, b"\4\7\xff\3\1\2")
    yield "gray16", png(0, 16, 2, 1, b"\0\1\0\0\xff")
    yield "rgb8", png(2, 8, 2, 1, b"\0\5\5\5\6\6\6")
    yield "rgba8", png(6, 8, 1, 1, b"\0\5\5\5\xff")
    yield "grayalpha8", png(4, 8, 1, 1, b"\0\5\xff")
    yield "interlaced", png(0, 8, 2, 2, b"\0\1\0\2\0\3\4", interlaced=1)


def jpegs():
    picture = np.arange(16 * 9 * 3, dtype=np.uint8).reshape(9, 16, 3)
    for name, mode, settings in (("baseline", "RGB", {}), ("gray", "L", {}), ("progressive", "RGB", {"progressive": True}),
                                 ("cmyk", "CMYK", {}), ("rotated", "RGB", {"exif": rotated()})):
        out = io.BytesIO()
        Image.fromarray(picture).convert(mode).save(out, "JPEG", quality=50, **settings)
        yield name, out.getvalue()


def rotated():
    exif = Image.Exif()
    exif[0x0112] = 6
    return exif


def colmap_models():
    """Two images of COLMAP's binary and text form."""
    poses = (("1.jpg", (1, 0, 0, 0, 0, 0, 0), 0), ("sub/2.jpg", (0.5, -0.5, 0.5, 0.5, 1, -2, 3), 2))
    binary, text = struct.pack("<Q", len(poses)), "# Number of images: 2, mean observations per image: 1\n"
    for number, (name, pose, n_points) in enumerate(poses, 1):
        binary += struct.pack("<I7dI", number, *pose, 1) + name.encode() + b"\0" + struct.pack("<Q", n_points)
        binary += struct.pack("<2dQ", 1.5, 2.5, 7) * n_points
        text += " ".join(map(str, (number, *pose, 1, name))) + "\n" + " ".join(["1.5 2.5 -1"] * n_points) + "\n"
    yield "two.bin", binary
    yield "cut.bin", binary[:-20]
    yield "many.bin", b"\xff" * 8 + binary[8:]
    yield "two.txt", text.encode()
    yield "bom.txt", b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    yield "cut.txt", text.encode()[:-30]


for file_name, content in colmap_models():
    save("colmap", file_name, content)
for file_name, content in pngs():
    save("label_map", file_name + ".png", content)
    save("picture", file_name + ".png", content)
for file_name, content in jpegs():
    save("picture", file_name + ".jpg", content)
for number, text in enumerate(("0", "-9223372036854775808", "18446744073709551615", "1e-320", "320k", "64MiB", "0.1", "1.5m",
                               "nan", "0x10", " 1", "9" * 400, "", "1e400", "2g")):
    save("number", f"{number:02}.txt", text.encode())

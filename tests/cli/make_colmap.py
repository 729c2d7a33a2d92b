"""Writes COLMAP models of cameras that turn about one axis, called 1.jpg, 2.jpg, ...

usage: make_colmap.py model FOLDER ANGLE...    FOLDER/images.bin
       make_colmap.py text FOLDER ANGLE...     FOLDER/images.txt
       make_colmap.py captures CLASS/INSTANCE...    in/CLASS/INSTANCE/{images,sparse/0} and masks/CLASS/INSTANCE, of an orbit that
                                                    fills every bin; pictures and masks are empty files
An angle of "zero" is a quaternion without length, of "nan" one that is not finite; "-nan" a bad translation.
"""
import math
import os
import struct
import sys

ORBIT = ["0", "14", "31", "44", "62", "75", "89"]


def pose(angle):
    if angle == "zero":
        return (0.0,) * 7
    if angle in ("nan", "-nan"):
        return (math.nan,) + (0.0,) * 6 if angle == "nan" else (1.0,) + (0.0,) * 5 + (math.nan,)
    half = math.radians(float(angle)) / 2
    return math.cos(half), 0.0, math.sin(half), 0.0, 0.0, 0.0, 2.0  # on a circle of radius 2 about the origin


def images(angles):
    return [(f"{number}.jpg", pose(angle)) for number, angle in enumerate(angles, 1)]


def binary(angles):
    data = struct.pack("<Q", len(angles))
    for number, (name, numbers) in enumerate(images(angles), 1):
        data += struct.pack("<I7dI", number, *numbers, 1) + name.encode() + b"\0" + struct.pack("<Q", 1) + bytes(24)
    return data


def text(angles):
    lines = [f"{number} {' '.join(map(repr, numbers))} 1 {name}\n1.5 2.5 -1\n"
             for number, (name, numbers) in enumerate(images(angles), 1)]
    return (f"# Number of images: {len(angles)}, mean observations per image: 1\n" + "".join(lines)).encode()


def write(path, data=b""):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def capture(name):
    write(f"in/{name}/sparse/0/images.bin", binary(ORBIT))
    for picture, _ in images(ORBIT):
        write(f"in/{name}/images/{picture}")
        write(f"masks/{name}/{picture}.png")


def main(kind, *rest):
    if kind == "captures":
        for name in rest:
            capture(name)
    else:
        make, suffix = {"model": (binary, "bin"), "text": (text, "txt")}[kind]
        write(f"{rest[0]}/images.{suffix}", make(rest[1:]))


if __name__ == "__main__":
    main(*sys.argv[1:])

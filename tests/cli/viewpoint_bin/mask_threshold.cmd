# A mask that holds no object is none.
"$PYTHON" "$CLI/make_colmap.py" captures 1/a
"$PYTHON" - <<END
import struct, zlib
def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
for n in range(1, 8):
    head = struct.pack(">IIBBBBB", 3, 1, 8, 0, 0, 0, 0)
    pixels = bytes([0, 255 if n != 3 else 9, 200, 3])
    if n == 3: pixels = bytes([0, 9, 100, 3])
    open(f"masks/1/a/{n}.jpg.png", "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b""))
END
"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet --masks masks --mask-threshold 127 --json | $JSON objects.0.bins.1.mask_pixels objects.0.bins.2.frame settings.mask_threshold

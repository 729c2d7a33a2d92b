"""Sets of masks for bench/jf_vs_peers.py, made of real ones: larger by nearest upscaling, longer by repeating frames."""
import collections
import os

import cv2
import numpy as np
from PIL import Image

# Objects of a set -> the sequences that show them, those in front first, with how many each has; ids count on.
SOURCES = {1: [("blackswan", 1)], 3: [("india", 3)], 5: [("gold-fish", 5)], 10: [("gold-fish", 5), ("india", 3), ("judo", 2)]}
SIZES = {"480p": (854, 480), "1080p": (1920, 1080), "4k": (3840, 2160)}
MOST_DISTINCT = 100

MaskSet = collections.namedtuple("MaskSet", "name height width truth pred objects frames scored longest ids")


def read(path):
    with Image.open(path) as image:
        return np.array(image)


def composed(sources, index, size):
    """Frame `index` of the objects of all sources, each behind those before it."""
    labels, first = 0, 0
    for frames, n_objects in sources:
        mask = read(frames[index % len(frames)])
        mask = np.where((mask > 0) & (mask <= n_objects), mask + np.uint8(first), 0)
        labels = np.where(labels, labels, mask) if first else mask
        first += n_objects
    return cv2.resize(labels.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)


def write_distinct(masks, folder, n_objects, size, n_frames):
    """Frames FOLDER/{gt,pred}/NUMBER.png, indexed; which of them show all objects in the truth."""
    with Image.open(next((masks / "gt" / SOURCES[n_objects][0][0]).glob("*.png"))) as image:
        palette = image.getpalette()
    whole = []
    for role in ("gt", "pred"):
        sources = [(sorted((masks / role / name).glob("*.png")), n) for name, n in SOURCES[n_objects]]
        (folder / role).mkdir(parents=True)
        for index in range(n_frames):
            labels = composed(sources, index, size)
            if role == "gt" and len(np.unique(labels[labels > 0])) == n_objects:
                whole.append(index)
            image = Image.fromarray(labels)
            image.putpalette(palette)
            image.save(folder / role / f"{index}.png")
    return whole


def make(masks, folder, size_name, n_objects, n_sequences, n_frames):
    """n_sequences of n_frames links each. Every sequence begins with two frames of all objects, since programs differ in
    what they make of an object that appears later."""
    size, distinct = SIZES[size_name], min(n_sequences * n_frames, MOST_DISTINCT)
    whole = set(write_distinct(masks, folder / "distinct", n_objects, size, distinct))
    starts = [index for index in range(distinct) if {index, (index + 1) % distinct} <= whole]
    for number in range(n_sequences):
        wanted = number * distinct // n_sequences
        start = min(starts, key=lambda index: (index - wanted) % distinct)
        for role in ("gt", "pred"):
            sequence = folder / role / f"sequence{number}"
            sequence.mkdir(parents=True)
            for index in range(n_frames):
                os.link(folder / "distinct" / role / f"{(start + index) % distinct}.png", sequence / f"{index:05d}.png")
    return MaskSet(size_name, size[1], size[0], folder / "gt", folder / "pred", n_objects, n_sequences * n_frames,
                   n_sequences * (n_frames - 2) * n_objects, n_frames, n_objects)


def real(masks, folder, objects, protocol):
    """Links to the masks as they are. objects: ids by sequence; protocol: semi or unsup"""
    skipped, pred = (2, "pred") if protocol == "semi" else (0, "proposals")
    for role in ("gt", pred):
        (folder / role).mkdir(parents=True)
        for name in objects:
            os.symlink((masks / role / name).resolve(), folder / role / name)
    frames = {name: len(list((masks / "gt" / name).glob("*.png"))) for name in objects}
    scored = sum((frames[name] - skipped) * len(ids) for name, ids in objects.items())
    n_proposals = 20 if protocol == "unsup" else max(map(len, objects.values()))
    return MaskSet("real", 480, 854, folder / "gt", folder / pred, sum(map(len, objects.values())), sum(frames.values()),
                   scored, max(frames.values()), n_proposals)

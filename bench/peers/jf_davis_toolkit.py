"""The peer of `denseval jf`: davisvideochallenge/davis2017-evaluation on two folders of masks. It has one thread.

Needs the environment and the sources of setup.sh. Prints one JSON object, as jf_vos_benchmark.py does, with recall and decay
too. The toolkit wants the folders of DAVIS, which are made of links, and a picture for each mask, of which it takes the name.
"""
import argparse
import json
import os
import pathlib
import resource
import sys
import tempfile
import time

started = time.perf_counter()
TASKS = {"semi": ("semi-supervised", "Annotations"), "unsup": ("unsupervised", "Annotations_unsupervised")}


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", required=True, help="a checkout of davis2017-evaluation")
    parser.add_argument("--truth", required=True, type=pathlib.Path, help="SEQUENCE/FRAME.png")
    parser.add_argument("--pred", required=True, type=pathlib.Path)
    parser.add_argument("--protocol", default="semi", choices=sorted(TASKS))
    return parser.parse_args()


def make_layout(root, truth, annotations):
    """DAVIS's folders in `root`. The names of the sequences."""
    names = sorted(sequence.name for sequence in truth.iterdir())
    for folder in (annotations, "JPEGImages"):
        (root / folder / "480p").mkdir(parents=True)
    (root / "ImageSets" / "2017").mkdir(parents=True)
    (root / "ImageSets" / "2017" / "val.txt").write_text("\n".join(names) + "\n", encoding="utf-8")
    for name in names:
        os.symlink((truth / name).resolve(), root / annotations / "480p" / name)
        pictures = root / "JPEGImages" / "480p" / name
        pictures.mkdir()
        for mask in (truth / name).glob("*.png"):
            (pictures / f"{mask.stem}.jpg").touch()
    return names


def values_of(metrics):
    """Sequence, then object, of what the toolkit keeps in lists; its names end in _OBJECT."""
    sequences = {}
    for i, name in enumerate(metrics["J"]["M_per_object"]):
        sequence, number = name.rsplit("_", 1)
        values = {f"{metric.lower()}{key}": float(metrics[metric][part][i]) for metric in "JF"
                  for key, part in (("", "M"), ("_recall", "R"), ("_decay", "D"))}
        sequences.setdefault(sequence, {})[number] = values
    return sequences


def main():
    args = parsed()
    sys.path.insert(0, args.source)
    import cv2
    import numpy
    from davis2017.evaluation import DAVISEvaluation
    cv2.setNumThreads(1)
    task, annotations = TASKS[args.protocol]
    with tempfile.TemporaryDirectory(prefix="denseval-bench-") as folder:
        make_layout(pathlib.Path(folder), args.truth, annotations)
        ready, ready_cpu = time.perf_counter(), time.process_time()
        metrics = DAVISEvaluation(davis_root=folder, task=task, gt_set="val").evaluate(str(args.pred))
        seconds, cpu = time.perf_counter() - ready, time.process_time() - ready_cpu
    print(json.dumps({"seconds": seconds, "start_s": ready - started, "work_cpu_s": cpu, "sequences": values_of(metrics),
                      "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6,
                      "versions": {"numpy": numpy.__version__, "opencv": cv2.__version__}}))


if __name__ == "__main__":
    main()

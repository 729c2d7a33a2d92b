"""The peer of `denseval jf`: hkchengrex/vos-benchmark on two folders of masks, by its own function and processes.

Needs the environment and the sources of setup.sh. Prints one JSON object: seconds of the work (`seconds`, processes and all,
without the start of the interpreter and its imports), processor seconds, and J and F of every object.
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


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", required=True, help="a checkout of vos-benchmark")
    parser.add_argument("--truth", required=True, type=pathlib.Path, help="SEQUENCE/FRAME.png")
    parser.add_argument("--pred", required=True, type=pathlib.Path)
    parser.add_argument("--protocol", default="semi", choices=("semi", "all-frames"),
                        help="without the first and the last frame, or all")
    parser.add_argument("--threads", type=int, default=1, help="processes, one thread each; one does a sequence")
    return parser.parse_args()


def processor_seconds():
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def main():
    args = parsed()
    sys.path.insert(0, args.source)
    import cv2
    import numpy
    from vos_benchmark.benchmark import benchmark
    cv2.setNumThreads(1)  # before the processes are made: they are the threads that were asked for
    ready, ready_cpu = time.perf_counter(), processor_seconds()
    with tempfile.TemporaryDirectory(prefix="denseval-bench-") as folder:
        for sequence in args.pred.iterdir():  # it leaves its results among the predictions
            os.symlink(sequence.resolve(), pathlib.Path(folder) / sequence.name)
        *_, objects = benchmark([str(args.truth)], [folder], strict=True, num_processes=args.threads, verbose=False,
                                skip_first_and_last=args.protocol == "semi")
        seconds = time.perf_counter() - ready
    sequences = {name: {str(number): {"j": j[number] / 100, "f": f[number] / 100} for number in j}
                 for name, (j, f) in objects[0].items()}
    print(json.dumps({"seconds": seconds, "start_s": ready - started, "work_cpu_s": processor_seconds() - ready_cpu,
                      "sequences": sequences, "versions": {"numpy": numpy.__version__, "opencv": cv2.__version__}}))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Times `denseval dining` beside a plain Python scorer (peers/dining_plain.py), in one run on the same records.

usage: dining_vs_peer.py [--records N] [--runs R] [--denseval PATH]
The two run in turn, R times each; a row a task says the medians of the seconds, the largest resident sizes, and how many of the scores
differ by more than 1e-12 of their size. The program's time is that of its whole process, Python's without the start of the interpreter.
"""
import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

PEER = pathlib.Path(__file__).resolve().parent / "peers" / "dining_plain.py"
NUTRIENTS = ("calories", "protein", "carbohydrates", "fat")
PHRASES = ("{}", "The answer is {}", "({})", "{}. Braised rice with pork", "Answer: **{}**", "I cannot tell", "Option {}, because of the sauce")


def write(path, records):
    with open(path, "w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def question(i, key):
    return {"id": str(10000 + 7 * i), "prompt": "Which dish is this? Look at the pictures and answer with one option. " * 2,
            "ground_truth": key, "standard_image": f"images/{i:06}_0.jpg", "user_images": [], "cuisine": "Chinese",
            "num_images": 1 + i % 4, "prompt_style": "standard"}


def answer(i, text):
    return {"idx": i, "model_pred": text, "model_full_pred": text, "image_path": f"images/{i:06}_0.jpg"}


def make(folder, n):
    """Both tasks; one record in fifty is missing."""
    r = random.Random(7)

    def numbers():
        return json.dumps({name: r.randint(1, 9000) / 10 for name in NUTRIENTS})

    for task in ("classification", "nutrition"):
        if task == "classification":
            pairs = [(r.choice("ABCDEFGH"), r.choice(PHRASES).format(r.choice("ABCDEFGH"))) for _ in range(n)]
        else:
            pairs = [(numbers(), "Here it is: " + numbers()) for _ in range(n)]
        write(f"{folder}/{task}-truth.jsonl", (question(i, key) for i, (key, _) in enumerate(pairs)))
        write(f"{folder}/{task}-pred.jsonl", (answer(i, text) for i, (_, text) in enumerate(pairs) if i % 50))


def run_program(program, task, folder):
    command = [program, "dining", task, "--truth", f"{folder}/{task}-truth.jsonl", "--pred", f"{folder}/{task}-pred.jsonl", "--json"]
    started = time.perf_counter()
    # A shell between: the largest resident size of a process begins with that of its parent, here an interpreter.
    done = subprocess.run(["/bin/sh", "-c", '"$@"; exit', "sh", *command], capture_output=True, check=True)
    return json.loads(done.stdout), time.perf_counter() - started


def run_peer(task, folder):
    command = [sys.executable, PEER, task, f"{folder}/{task}-truth.jsonl", f"{folder}/{task}-pred.jsonl"]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def count_wrong(task, found, expected):
    if task == "classification":
        return int(found["accuracy"] != expected["accuracy"])
    return sum(abs(found["nutrients"][name][metric] / value - 1) > 1e-12
               for name, scores in expected.items() for metric, value in scores.items())


def time_task(program, task, folder, runs):
    """Prints the row; the number of wrong scores."""
    ours, theirs = [], []
    for _ in range(runs):
        found, wall_s = run_program(program, task, folder)
        peer = run_peer(task, folder)
        ours.append(wall_s)
        theirs.append(peer["wall_s"])
    wrong = count_wrong(task, found, peer["scores"])
    mine, other = statistics.median(ours), statistics.median(theirs)
    print(f"{task:16}{mine:13.3f}{other:13.3f}{other / mine:8.1f}{found['resources']['max_rss_bytes'] / 1e6:16.1f}"
          f"{peer['max_rss_bytes'] / 1e6:14.1f}{wrong:8}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=200000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--denseval", default=os.environ.get("DENSEVAL", "build/denseval"))
    arguments = parser.parse_args()
    print(f"# dining, {arguments.records} records, {arguments.runs} runs in turn, medians")
    print("# task         denseval (s)   python (s)   ratio   denseval (MB)   python (MB)   wrong")
    with tempfile.TemporaryDirectory() as folder:
        make(folder, arguments.records)
        wrong = sum(time_task(arguments.denseval, task, folder, arguments.runs) for task in ("classification", "nutrition"))
    sys.exit(70 if wrong else 0)


if __name__ == "__main__":
    main()

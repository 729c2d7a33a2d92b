"""Times `denseval dining` beside bench/peers/dining_plain.py on the same made records, in turns, correctness first.

Exit status 70 when a score differs by more than 1e-12 of its size. The program's time is that of its whole process, hashes of its inputs
included, the peer's is without the start of the interpreter. The largest resident size is what the system says of each process.
"""
import argparse
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

PEER = pathlib.Path(__file__).resolve().parent / "peers" / "dining_plain.py"
TASKS = ("classification", "nutrition", "vqa")
NUTRIENTS = ("calories", "protein", "carbohydrates", "fat")
TOLERANCE = 1e-12
CUISINES = ("Chinese", "Japanese", "Western", "Korean", "Indian", "Thai")
DISHES = ("Braised pork", "Scallion oil chicken", "麻婆豆腐", "Dan dan noodles", "Smoked salmon salad", "番茄炒蛋", "Pumpkin soup",
          "Green curry", "Lamb skewer", "Tuna roll", "Fried rice", "宫保鸡丁")
REMARKS = ("The plate holds a glossy brown sauce over cubes of meat, with some spring onion on top. ",
           "The second picture shows the same dish from the side; there is rice below.\n",
           "盘中可见深色酱汁、葱花和少量辣椒，旁边是一碗米饭。", "Judging by the size of the chopsticks, a serving is about 350 g. ",
           "It is \"fried\", not steamed, for its surface is crisp and dry. ", "油脂较多，因此热量估计偏高。\n")
LETTERS = ("{}", "The answer is {}", "({})", "{}. Braised rice with pork", "Answer: **{}**", "I cannot tell", "\\boxed{{{}}}", "答案是{}",
           "<think>It could be A or (B), but the sauce is dark.</think>The answer is {}.", "Option {}, because of the sauce")
NUMBERS = ("{}", "Here it is: {}", "```json\n{}\n```", "<think>Perhaps {{}}.</think>\n{}", "I cannot tell from {{this}} picture")
ANSWERS = ("It is deep-fried.", "蒸", "Yes, fried in oil", "About 350 kcal, mostly of the rice", "高油，高盐")
VERDICTS = ("Yes", "No", "**Yes**, both say the same", "不一致", "一致", "Judgement: no", "The two differ", "是", "是否一致？")


def remarks(r, n):
    return "".join(r.choice(REMARKS) for _ in range(n))


def nutrients(r):
    return json.dumps({name: r.randint(1, 9000) / 10 for name in NUTRIENTS})


def key_and_answer(r, task):
    """What the truth holds, what the model said, and what the judge said of it."""
    if task == "classification":
        return r.choice("ABCDEFGH"), r.choice(LETTERS).format(r.choice("ABCDEFGH")), None
    if task == "nutrition":
        return nutrients(r), r.choice(NUMBERS).format(nutrients(r)), None
    return r.choice(ANSWERS), r.choice(ANSWERS), r.choice(VERDICTS)


def question(r, i, key):
    options = "\n".join(f"{letter}. {r.choice(DISHES)}" for letter in "ABCDEFGH")
    images = [f"images/{i:06}_{k}.jpg" for k in range(1 + i % 4)]
    return {"id": str(10000 + 7 * i), "cuisine": r.choice(CUISINES), "num_images": len(images), "prompt_style": r.choice(("standard", "cot")),
            "prompt": f"Look at the pictures of one dish.\n{options}\nOutput only the final answer, without explanation or summary.",
            "ground_truth": key, "standard_image": images[0], "user_images": images[1:]}


def answer(r, i, text, verdict):
    record = {"idx": i, "model_pred": text, "model_full_pred": remarks(r, r.randint(3, 9)) + text,
              "image_paths": [f"images/{i:06}_{k}.jpg" for k in range(1 + i % 4)]}
    return record if verdict is None else {**record, "eval_match": True, "eval_result": verdict}


def make(task, n, truth, pred):
    """One record in fifty has no answer, one call in a hundred failed. Returns the bytes of both files."""
    r = random.Random(f"{task} 7")
    with open(truth, "w", encoding="utf-8") as questions, open(pred, "w", encoding="utf-8") as answers:
        for i in range(n):
            key, text, verdict = key_and_answer(r, task)
            if i % 100 == 7:
                text = "__INFER_ERROR__: 500"
            print(json.dumps(question(r, i, key), ensure_ascii=False), file=questions)
            if i % 50:
                print(json.dumps(answer(r, i, text, verdict), ensure_ascii=False), file=answers)
    return truth.stat().st_size + pred.stat().st_size


def measured(command):
    """The JSON object that a program prints, the seconds of its process, wall and processor, and its largest resident size.

    A shell between, for the size of a process begins with that of its parent, which is an interpreter here.
    """
    with tempfile.TemporaryFile() as output:
        started = time.perf_counter()
        process = subprocess.Popen(["/bin/sh", "-c", '"$@"; exit', "sh", *map(str, command)], stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"dining_vs_peer: exit status {process.returncode}: {' '.join(map(str, command))}")
        output.seek(0)
        result = json.load(output)
    return result, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


def count_wrong(found, expected):
    """Scores of the peer that the program does not have."""
    return sum(count_wrong(found[name], value) if isinstance(value, dict) else not math.isclose(found[name], value, rel_tol=TOLERANCE)
               for name, value in expected.items())


def time_task(args, task, folder):
    """Prints the row; the number of wrong scores."""
    truth, pred = (pathlib.Path(folder) / f"{task}-{side}.jsonl" for side in ("truth", "pred"))
    size_mb = make(task, args.records, truth, pred) / 1e6
    command = [args.program, "dining", task, "--truth", truth, "--pred", pred, "--threads", args.threads, "--json"]
    runs = [(measured(command), measured([sys.executable, PEER, task, truth, pred])) for _ in range(args.runs)]
    wrong = sum(count_wrong(mine[0], peer[0]["scores"]) for mine, peer in runs)
    ours, cpu, peak = (statistics.median(mine[k] for mine, _ in runs) for k in (1, 2, 3))
    theirs = statistics.median(peer[0]["wall_s"] for _, peer in runs)
    peer_cpu, peer_peak = (statistics.median(peer[k] for _, peer in runs) for k in (2, 3))
    print(f"  {task:16}{size_mb:8.1f}{ours:10.3f}{theirs:9.3f}{theirs / ours:9.2f}{cpu:9.3f}{peer_cpu:9.3f}{peer_cpu / cpu:8.2f}"
          f"{peak:9.1f}{peer_peak:9.1f}{wrong:7}", flush=True)
    truth.unlink()
    pred.unlink()
    return wrong, theirs / ours


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/denseval")
    parser.add_argument("--records", type=int, default=200000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--scratch", help="folder for the made files [that of the system]")
    args = parser.parse_args()
    print(f"# denseval bench dining-vs-peer   records {args.records}   runs {args.runs}, in turns   threads {args.threads}   "
          f"load before {os.getloadavg()[0]:.1f}   python {sys.version.split()[0]}")
    print("# task              size      ours     peer   x peer      CPU peer CPU   x CPU     peak     peer  wrong")
    print("#                   (MB)       (s)      (s)      (1)      (s)      (s)     (1)     (MB)     (MB)    (1)")
    with tempfile.TemporaryDirectory(dir=args.scratch) as folder:
        rows = [time_task(args, task, folder) for task in TASKS]
    n_wrong, slowest = sum(wrong for wrong, _ in rows), min(ratio for _, ratio in rows)
    print(f"# verdict: {'WRONG' if n_wrong else 'OK'}   {n_wrong} wrong in {len(rows)} rows, at least {slowest:.2f} x as fast")
    sys.exit(70 if n_wrong else 0)


if __name__ == "__main__":
    main()

"""Ends a sweep at random moments again and again: each time the same command goes on, and in the end the files are those of
an undisturbed run, to the byte.

usage: sweep_kills.py SIGTERMS SIGKILLS [SEED]"""
import filecmp
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

from common import DEMO, PROGRAM, Checks, run, scratch
from golden_sweep import write_config

INTERRUPTED = 75
START_S = 0.3  # until the program listens, on a busy machine
FEW = {"medium": [0, 45, 90], "extreme": [0]}  # of the difficulties: enough blocks to be hit


def command(config, out, threads):
    # Small blocks: many records, many moments to be hit.
    return [PROGRAM, "sweep", config, "--out", out, "--block-images", "2", "--threads", str(threads), "--plots", "none", "--quiet"]


def end_after(arguments, delay_s, number):
    """Gives the exit status of a run that gets a signal after a while, and how long it took to end then."""
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        process.wait(delay_s)
    except subprocess.TimeoutExpired:
        process.send_signal(number)
    start = time.monotonic()
    _, errors = process.communicate(timeout=60)
    return process.returncode, time.monotonic() - start, errors.decode()


def same_files(checks, what, expected, found):
    names = sorted(os.listdir(expected))
    checks.equal(f"{what}, files", sorted(os.listdir(found)), names)
    for name in names:
        if name != "resources.json" and not os.path.isdir(f"{expected}/{name}"):
            checks.equal(f"{what}, {name}", filecmp.cmp(f"{expected}/{name}", f"{found}/{name}", False), True)


def disturbed_run(checks, config, out, number, n_signals, wall_s, chance):
    """One run that is ended up to n_signals times; gives how often it was."""
    n_ended = 0
    while n_ended < n_signals:
        # Short lives, so that a run needs several; a kill loses at most the block at work.
        delay_s = chance.uniform(0, 0.5) * wall_s
        had_journal = os.path.exists(f"{out}/run.journal")
        status, late_s, errors = end_after(command(config, out, chance.choice([1, 2])), delay_s, number)
        if status == 0:
            break
        n_ended += 1
        if number == signal.SIGKILL:
            checks.equal("killed", status, -signal.SIGKILL)
            if os.path.exists(f"{out}/results.json") and not os.path.exists(f"{out}/run.journal"):
                break # the result was complete, the process not yet at its end
        elif status != -number or delay_s > START_S: # nobody asks a program that is still being loaded
            checks.equal(f"exit status after {signal.Signals(number).name}: {errors}", status, INTERRUPTED)
            checks.equal("ends within seconds", late_s < 5, True)
            if not had_journal:
                checks.equal("says whether it can go on", "the same command goes on from here" in errors,
                             os.path.exists(f"{out}/run.journal"))
    else:
        subprocess.run(command(config, out, 2), check=True, stdout=subprocess.DEVNULL)
    return n_ended


def check_refused(checks, folder, files, wall_s):
    """A journal goes on with the same settings and inputs alone; both hashes are named."""
    copies = [(name, shutil.copy(file, folder)) for name, file in files]
    config, out = write_config(f"{folder}/own.yaml", copies, [240, 700], FEW), f"{folder}/refused"
    while not os.path.exists(f"{out}/run.journal") or os.path.getsize(f"{out}/run.journal") < 10000:
        end_after(command(config, out, 1), 0.5 * wall_s, signal.SIGKILL)
    settings = run("sweep", write_config(f"{folder}/other.yaml", copies, [240, 700], FEW, k=29), "--out", out, expect=65)
    checks.equal(f"hashes of the settings: {settings}", settings.count("xxh3-128:"), 2)
    with open(copies[1][1], "ab") as file:
        file.write(b"x")
    inputs = run("sweep", config, "--out", out, expect=65)
    checks.equal(f"hashes of the inputs: {inputs}", inputs.count("xxh3-128:") >= 2, True)
    shutil.copy(files[1][1], copies[1][1])
    run("sweep", config, "--out", out, "--plots", "none")
    checks.equal("no journal is left", os.path.exists(f"{out}/run.journal"), False)


def main(n_terms, n_kills, seed=7):
    checks, chance = Checks(), random.Random(int(seed))
    with scratch() as folder:
        files = [(name, os.path.abspath(f"{DEMO}/features_{name}.h5")) for name in ("deep", "early")]
        config = write_config(f"{folder}/sweep.yaml", files, [240, 700], FEW)
        start = time.monotonic()
        subprocess.run(command(config, f"{folder}/whole", 2), check=True, stdout=subprocess.DEVNULL)
        wall_s = time.monotonic() - start
        plan = [(signal.SIGTERM, int(n_terms)), (signal.SIGKILL, int(n_kills)), (signal.SIGUSR1, 2)]
        for number, n_wanted in plan:
            name, n_ended, n_runs = signal.Signals(number).name, 0, 0
            while n_ended < n_wanted:
                out = f"{folder}/{name}{n_runs}"
                n_here = disturbed_run(checks, config, out, number, min(5, n_wanted - n_ended), wall_s, chance)
                same_files(checks, f"{name} run {n_runs}", f"{folder}/whole", out)
                restarts = json.load(open(f"{out}/resources.json"))["restarts"]
                checks.equal("restarts are counted", restarts <= n_here, True)
                n_ended += n_here
                n_runs += 1
        check_refused(checks, folder, files, wall_s)
    checks.done(f"{n_terms} SIGTERM, {n_kills} SIGKILL")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""What ranks do, counted and not timed, so that no noise of a machine is in it: bytes read, sent and received, rows scanned and
meetings of the busiest rank, by the number of ranks and by what they share. The last column, the most memory, is measured.

usage: ranks_counts.py DENSEVAL FEATURES [RANKS,...]       knn; FEATURES: a file that is bank and queries, 16 images or more
       ranks_counts.py DENSEVAL CONFIG.yaml [RANKS,...]    sweep
"""
import json
import os
import subprocess
import sys
import tempfile

COLUMNS = ("bytes_read", "bytes_sent", "bytes_received", "rows_scanned", "rows_scored", "collectives", "max_rss_bytes")
IMAGES = 16  # one block of them: every number of ranks up to it has shares of one size


def mpirun(n, *command):
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "OMPI_MCA_rmaps_base_oversubscribe": "1"}
    return subprocess.run(["mpirun", "-q", "-n", str(n), *command, "--force", "--quiet", "--threads", "1"], env=environment,
                          check=True, stdout=subprocess.PIPE).stdout


def read(path):
    with open(path, "rb") as file:
        return file.read()


def knn(program, features, n, split, folder):
    bank = f"{folder}/bank.h5"
    if not os.path.exists(bank):
        subprocess.run([program, "bank", "build", "--features", features, "--out", bank, "--quiet"], check=True,
                       stdout=subprocess.DEVNULL)
    said = mpirun(n, program, "knn", "--bank", bank, "--queries", features, "--out", f"{folder}/knn.h5", "--json", "--images",
                  f"0:{IMAGES}", "--block-images", str(IMAGES), "--split", split)
    return json.loads(said)["resources"]["ranks"], read(f"{folder}/knn.h5")


def sweep(program, config, n, split, folder):
    out = f"{folder}/sweep"
    mpirun(n, program, "sweep", config, "--out", out, "--plots", "none", "--split", split)
    return json.loads(read(f"{out}/resources.json"))["resources"]["ranks"], read(f"{out}/results.json")


def main(program, source, counts="2,4,8,16"):
    run = sweep if source.endswith(".yaml") else knn
    what = "sweep" if run is sweep else f"knn, k 30, a block of {IMAGES} images"
    print(f"# {what}: {source}; of the busiest rank")
    print("# ranks  split    " + "".join(f"{name:>16}" for name in COLUMNS))
    print("#   (1)           " + "".join(f"{'(bytes)' if 'bytes' in name else '(1)':>16}" for name in COLUMNS))
    with tempfile.TemporaryDirectory() as folder:
        results = set()
        for split in ("queries", "bank"):
            for n in map(int, counts.split(",")):
                found, result = run(program, source, n, split, folder)
                results.add(result)
                print(f"{n:7}  {split:9}" + "".join(f"{max(rank[name] for rank in found):16}" for name in COLUMNS), flush=True)
    print(f"# verdict: {'OK' if len(results) == 1 else 'WRONG'}   {len(results)} different results")
    return len(results) != 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""What ranks do, counted and not timed, so that no noise of a machine is in it: bytes read, sent and received, rows scanned and
meetings of the busiest rank, by the number of ranks and by what they share. The last column, the most memory, is measured.

usage: ranks_counts.py DENSEVAL FEATURES [RANKS,...]    FEATURES: a file that is bank and queries, 16 images or more
"""
import json
import os
import subprocess
import sys
import tempfile

COLUMNS = ("bytes_read", "bytes_sent", "bytes_received", "rows_scanned", "collectives", "max_rss_bytes")
IMAGES = 16  # one block of them: every number of ranks up to it has shares of one size


def accounts(program, features, n, split, folder):
    command = [program, "knn", "--bank", f"{folder}/bank.h5", "--queries", features, "--out", f"{folder}/knn.h5", "--force",
               "--json", "--quiet", "--threads", "1", "--images", f"0:{IMAGES}", "--block-images", str(IMAGES)]
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "OMPI_MCA_rmaps_base_oversubscribe": "1"}
    done = subprocess.run(["mpirun", "-q", "-n", str(n), *command, "--split", split], env=environment, check=True,
                          stdout=subprocess.PIPE)
    with open(f"{folder}/knn.h5", "rb") as file:
        return json.loads(done.stdout)["resources"]["ranks"], file.read()


def main(program, features, counts="2,4,8,16"):
    print(f"# knn, k 30, a block of {IMAGES} images: {features}; of the busiest rank")
    print("# ranks  split    " + "".join(f"{name:>16}" for name in COLUMNS))
    print("#   (1)           " + "".join(f"{'(bytes)' if 'bytes' in name else '(1)':>16}" for name in COLUMNS))
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "bank", "build", "--features", features, "--out", f"{folder}/bank.h5", "--quiet"], check=True,
                       stdout=subprocess.DEVNULL)
        results = set()
        for split in ("queries", "bank"):
            for n in map(int, counts.split(",")):
                found, result = accounts(program, features, n, split, folder)
                results.add(result)
                print(f"{n:7}  {split:9}" + "".join(f"{max(rank[name] for rank in found):16}" for name in COLUMNS), flush=True)
    print(f"# verdict: {'OK' if len(results) == 1 else 'WRONG'}   {len(results)} different results")
    return len(results) != 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

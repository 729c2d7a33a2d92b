#!/bin/sh
# make bench: whole evaluations against the Python peer of bench/peers, correctness first.
# usage: run.sh PROGRAM [DATA_DIR]   DATA_DIR holds train.h5, test.h5, golden.json and golden_memory.h5
set -eu
cd "$(dirname "$0")/.."
program=$1
data=${2:-../shared/data/camvid}
if [ ! -e "$data/train.h5" ]; then
    echo "No bench data: $data/train.h5 is missing. Name the folder: sh bench/run.sh $program DATA_DIR" >&2
    exit 0
fi
sh bench/peers/setup.sh build/peers-venv
exec /usr/bin/python3 bench/eval_vs_peer.py --program "$program" --peer-python build/peers-venv/bin/python --data "$data"

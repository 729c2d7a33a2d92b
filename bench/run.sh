#!/bin/sh
# make bench: whole evaluations, then the search alone, against the peers of bench/peers, correctness first.
# usage: run.sh PROGRAM [DATA_DIR [all|eval|search [OPTIONS of bench/search_vs_peers.py]]]
# DATA_DIR holds train.h5, test.h5, golden.json and golden_memory.h5
set -eu
cd "$(dirname "$0")/.."
program=$1
data=${2:-../shared/data/camvid}
part=${3:-all}
shift $(($# < 3 ? $# : 3))
case $part in all | eval | search) ;; *)
    echo "run.sh: $part: must be all, eval or search" >&2
    exit 64
    ;;
esac
if [ ! -e "$data/train.h5" ]; then
    echo "No bench data: $data/train.h5 is missing. Name the folder: sh bench/run.sh $program DATA_DIR" >&2
    exit 0
fi
sh bench/peers/setup.sh build/peers-venv
peer_python=build/peers-venv/bin/python
if [ "$part" != search ]; then
    /usr/bin/python3 bench/eval_vs_peer.py --program "$program" --peer-python $peer_python --data "$data"
fi
if [ "$part" != eval ]; then
    /usr/bin/python3 bench/search_vs_peers.py --program "$program" --peer-python $peer_python \
        --features "$data/train.h5" --scratch build "$@"
fi

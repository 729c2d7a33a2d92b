#!/bin/sh
# make bench: whole evaluations, a sweep, then the search alone, against the peers of bench/peers, correctness first.
# usage: run.sh PROGRAM [DATA_DIR [all|eval|search|sweep [OPTIONS of bench/search_vs_peers.py or sweep_vs_separate.py]]]
# DATA_DIR holds train.h5, test.h5, golden.json and golden_memory.h5; beside it multiview/features_deep.h5, for the sweep
set -eu
cd "$(dirname "$0")/.."
program=$1
data=${2:-../shared/data/camvid}
part=${3:-all}
shift $(($# < 3 ? $# : 3))
case $part in all | eval | search | sweep) ;; *)
    echo "run.sh: $part: must be all, eval, search or sweep" >&2
    exit 64
    ;;
esac
if [ ! -e "$data/train.h5" ]; then
    echo "No bench data: $data/train.h5 is missing. Name the folder: sh bench/run.sh $program DATA_DIR" >&2
    exit 0
fi
sh bench/peers/setup.sh build/peers-venv
peer_python=build/peers-venv/bin/python
if [ "$part" = all ] || [ "$part" = eval ]; then
    /usr/bin/python3 bench/eval_vs_peer.py --program "$program" --peer-python $peer_python --data "$data"
fi
views=$data/../multiview/features_deep.h5
sweep() {
    /usr/bin/python3 bench/sweep_vs_separate.py --program "$program" --peer-python $peer_python --features "$views" \
        --scratch build "$@"
}
if [ ! -e "$views" ]; then
    echo "No bench data of a sweep: $views is missing" >&2
elif [ "$part" = sweep ]; then
    sweep "$@"
elif [ "$part" = all ]; then
    sweep
fi
if [ "$part" = all ] || [ "$part" = search ]; then
    /usr/bin/python3 bench/search_vs_peers.py --program "$program" --peer-python $peer_python \
        --features "$data/train.h5" --scratch build "$@"
fi

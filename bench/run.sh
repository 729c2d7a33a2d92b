#!/bin/sh
# make bench: whole evaluations, a sweep, J&F, confusion, then the search alone, against the peers of bench/peers, correctness first.
# usage: run.sh PROGRAM [DATA_DIR [all|eval|search|sweep|jf|iou|dining [OPTIONS of the bench of that part]]]
# DATA_DIR holds train.h5, test.h5, golden.json and golden_memory.h5; beside it multiview/features_deep.h5, for the sweep,
# vos/gt, vos/pred, vos/proposals, for J&F, and foodseg103/main, for confusion, with labels and pred of DATA_DIR
set -eu
cd "$(dirname "$0")/.."
program=$1
data=${2:-../shared/data/camvid}
part=${3:-all}
shift $(($# < 3 ? $# : 3))
case $part in all | eval | search | sweep | jf | iou | dining) ;; *)
    echo "run.sh: $part: must be all, eval, search, sweep, jf, iou or dining" >&2
    exit 64
    ;;
esac
if [ "$part" = dining ]; then # makes its records itself
    exec python3 bench/dining_vs_peer.py --program "$program" "$@"
fi
masks=$data/../vos
jf() {
    if [ ! -e "$masks/gt" ]; then
        echo "No bench data of J&F: $masks/gt is missing" >&2
        return 0
    fi
    sh bench/peers/setup.sh build/peers-venv jf
    build/peers-venv/bin/python bench/jf_vs_peers.py --program "$program" --masks "$masks" \
        --sources "${DENSEVAL_PEERS_SRC:-build/peers-src}" --scratch build "$@"
}
food=$data/../foodseg103
iou() {
    if [ ! -e "$food/main" ]; then
        echo "No bench data of confusion: $food/main is missing" >&2
        return 0
    fi
    sh bench/peers/setup.sh build/peers-venv iou
    build/peers-venv/bin/python bench/iou_vs_peers.py --program "$program" --foodseg "$food" --camvid "$data" --scratch build "$@"
}
if [ "$part" = jf ]; then
    jf "$@"
    exit 0
fi
if [ "$part" = iou ]; then
    iou "$@"
    exit 0
fi
if [ ! -e "$data/train.h5" ]; then
    echo "No bench data: $data/train.h5 is missing. Name the folder: sh bench/run.sh $program DATA_DIR" >&2
    exit 0
fi
sh bench/peers/setup.sh build/peers-venv engines
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
if [ "$part" = all ]; then
    jf
    iou
fi
if [ "$part" = all ] || [ "$part" = search ]; then
    /usr/bin/python3 bench/search_vs_peers.py --program "$program" --peer-python $peer_python \
        --features "$data/train.h5" --scratch build "$@"
fi

#!/bin/sh
# Makes build/peers-venv with what the peers of this folder need, part by part: `engines` (5.5 GB: PyTorch's wheel brings its
# GPU libraries along), `jf` (0.4 GB), `iou` (PyTorch as in `engines`). The peers of `jf` are programs: they are cloned at fixed commits
# to build/peers-src, or lie as vos-benchmark and davis2017-evaluation in the folder that DENSEVAL_PEERS_SRC names.
# usage: setup.sh [VENV_DIR [engines|jf|iou...]]
set -eu
cd "$(dirname "$0")/../.."
venv=${1:-build/peers-venv}
shift $(($# < 1 ? $# : 1))
[ $# != 0 ] || set -- engines jf iou
engines_packages="faiss-cpu==1.15.1 numpy==2.4.6 h5py==3.16.0 torch==2.15.0 usearch==2.26.6"
jf_packages="numpy==2.4.6 opencv-python-headless==5.0.0.93 Pillow==13.0.0 scikit-image==0.26.0 scipy==1.17.1 tqdm==4.70.1"
iou_packages="numpy==2.4.6 Pillow==13.0.0 torch==2.15.0 torchmetrics==1.9.0"

# clone OWNER/NAME COMMIT: complete or absent
clone() {
    target=build/peers-src/${1#*/}
    [ "$(git -C "$target" rev-parse HEAD 2>/dev/null)" != "$2" ] || return 0
    rm -rf "$target" "$target.new"
    git clone --quiet "https://github.com/$1" "$target.new"
    git -C "$target.new" -c advice.detachedHead=false checkout --quiet "$2"
    mv "$target.new" "$target"
}

for part in "$@"; do
    case $part in
    engines) packages=$engines_packages complete=$venv/complete ;;
    jf)
        packages=$jf_packages complete=$venv/complete-jf
        if [ -z "${DENSEVAL_PEERS_SRC:-}" ]; then
            clone hkchengrex/vos-benchmark acb47337f2c5677c0e6556590baad0563dfbb000
            clone davisvideochallenge/davis2017-evaluation ac7c43fca936f9722837b7fbd337d284ba37004b
        fi
        ;;
    iou) packages=$iou_packages complete=$venv/complete-iou ;;
    *)
        echo "setup.sh: $part: must be engines, jf or iou" >&2
        exit 64
        ;;
    esac
    [ "$(cat "$complete" 2>/dev/null)" != "$packages" ] || continue
    sh cmake/ensure-packages.sh test peers
    [ -e "$venv/bin/pip" ] || /usr/bin/python3 -m venv "$venv"
    # shellcheck disable=SC2086 # the list is meant to be split
    "$venv/bin/pip" install --no-cache-dir --quiet $packages
    echo "$packages" >"$complete"
done

#!/bin/sh
# Makes build/peers-venv with what the peers of this folder need (5.5 GB: PyTorch's wheel brings its GPU libraries along).
# usage: setup.sh [VENV_DIR]
set -eu
cd "$(dirname "$0")/../.."
venv=${1:-build/peers-venv}
packages="faiss-cpu==1.15.1 numpy==2.4.6 h5py==3.16.0 torch==2.15.0 usearch==2.26.6"
[ "$(cat "$venv/complete" 2>/dev/null)" != "$packages" ] || exit 0
sh cmake/ensure-packages.sh test peers
/usr/bin/python3 -m venv "$venv"
# shellcheck disable=SC2086 # the list is meant to be split
"$venv/bin/pip" install --no-cache-dir --quiet $packages
echo "$packages" >"$venv/complete"

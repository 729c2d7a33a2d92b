#!/bin/sh
# Makes build/peers-venv with what eval_torch_faiss.py needs (5.5 GB: PyTorch's wheel brings its GPU libraries along).
# usage: setup.sh [VENV_DIR]
set -eu
cd "$(dirname "$0")/../.."
venv=${1:-build/peers-venv}
[ ! -e "$venv/complete" ] || exit 0
sh cmake/ensure-packages.sh test peers
/usr/bin/python3 -m venv "$venv"
"$venv/bin/pip" install --no-cache-dir --quiet faiss-cpu==1.15.1 numpy==2.4.6 h5py==3.16.0 torch==2.15.0
touch "$venv/complete"

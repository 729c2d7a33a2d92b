#!/bin/sh
# Builds with CUDA and uses that where no GPU is to be seen: it must start, work on cores, and say what it lacks.
# usage: cuda.sh CMAKE SOURCE_DIR BUILD_DIR BUILD_TYPE PROGRAM FEATURES      BUILD_DIR, PROGRAM: without CUDA
set -eu
cmake=$1 source=$2 build=$3 type=$4 program=$5 features=$6
for nvcc in "${CUDACXX:-}" "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc; do
    if [ -x "$nvcc" ]; then break; fi
done
[ -x "$nvcc" ] || { echo "nvcc was not found"; exit 77; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/denseval-cuda.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
fail() {
    echo "$1" >&2
    exit 1
}
# One architecture, and the host's code as it is: half the time, the same bits.
"$cmake" -S "$source" -B "$scratch/build" -DDENSEVAL_CUDA=ON -DCMAKE_CUDA_COMPILER="$nvcc" -DCMAKE_CUDA_ARCHITECTURES=80-real \
    -DDENSEVAL_TESTS=OFF -DCMAKE_BUILD_TYPE="$type" >/dev/null
python3 "$source/tests/install/copy_objects.py" "$build" "$scratch/build"
"$cmake" --build "$scratch/build" -j 2 >/dev/null
with_cuda=$scratch/build/denseval
CUDA_VISIBLE_DEVICES=
export CUDA_VISIBLE_DEVICES

linked=$(ldd "$with_cuda" "$scratch"/build/libdenseval.so)
! echo "$linked" | grep -E 'lib(cuda|cublas|nv)' || fail "libraries of CUDA are linked"

said=$("$with_cuda" info | grep -E '^ +cuda,|^devices +cuda,')
echo "$said" | grep -qE 'usable no, reason (no NVIDIA driver is installed|no CUDA device is visible)' || fail "info: $said"

knn() {
    "$1" knn --features "$features" --queries "$features" --images 0:1 --backend "$2" --out "$scratch/$3.h5" --quiet \
        >"$scratch/$3.out" 2>"$scratch/$3.err"
}
knn "$with_cuda" auto auto
grep -q 'backend cpu$' "$scratch/auto.out" || fail "auto took: $(cat "$scratch/auto.out")"
knn "$program" auto usual
cmp "$scratch/auto.h5" "$scratch/usual.h5"

status=0
knn "$with_cuda" cuda cuda || status=$?
[ "$status" -eq 69 ] || fail "--backend cuda: exit status $status, expected 69"
[ "$(wc -l <"$scratch/cuda.err")" -eq 1 ] || fail "--backend cuda: $(cat "$scratch/cuda.err")"
grep -qE '^denseval: cuda: no ' "$scratch/cuda.err" || fail "--backend cuda: $(cat "$scratch/cuda.err")"
[ ! -e "$scratch/cuda.h5" ]

# The script for a GPU ends there, too, and says why.
status=0
DENSEVAL=$with_cuda OUT="$scratch/results" sh "$source/bench/device.sh" small >/dev/null || status=$?
[ "$status" -eq 69 ] || fail "device.sh: exit status $status, expected 69"
grep -q '"message": "denseval: cuda: no ' "$scratch/results/summary.json" || fail "device.sh: $(cat "$scratch/results/summary.json")"

#!/bin/sh
# KNN-14: builds without FAISS, searches with what is left, and expects the missing backend to be told by its code.
# usage: no_faiss.sh CMAKE SOURCE_DIR BUILD_DIR BUILD_TYPE FEATURES      BUILD_DIR: of the build with FAISS
set -eu
cmake=$1 source=$2 build=$3 type=$4 features=$5
scratch=$(mktemp -d "${TMPDIR:-/tmp}/denseval-no-faiss.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
"$cmake" -S "$source" -B "$scratch/build" -DDENSEVAL_FAISS=OFF -DDENSEVAL_TESTS=OFF -DCMAKE_BUILD_TYPE="$type" >/dev/null
python3 "$source/tests/install/copy_objects.py" "$build" "$scratch/build"
"$cmake" --build "$scratch/build" >/dev/null
knn() {
    "$scratch/build/denseval" knn --features "$features" --queries "$features" --images 0:1 --backend "$1" \
        --out "$scratch/$1.h5" --quiet >/dev/null 2>"$scratch/message"
}
knn cpu
status=0
knn faiss || status=$?
[ "$status" -eq 69 ] || { echo "exit status $status, expected 69" >&2; exit 1; }
[ "$(cat "$scratch/message")" = "denseval: faiss: this build has no FAISS" ] || { cat "$scratch/message" >&2; exit 1; }
[ ! -e "$scratch/faiss.h5" ]

#!/bin/sh
# KNN-14: builds without FAISS and MPI, searches with what is left, and expects what is missing to be told by its code.
# usage: no_faiss.sh CMAKE SOURCE_DIR BUILD_DIR BUILD_TYPE FEATURES      BUILD_DIR: of the build with both
set -eu
cmake=$1 source=$2 build=$3 type=$4 features=$5
scratch=$(mktemp -d "${TMPDIR:-/tmp}/denseval-no-faiss.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
"$cmake" -S "$source" -B "$scratch/build" -DDENSEVAL_FAISS=OFF -DDENSEVAL_MPI=OFF -DDENSEVAL_TESTS=OFF -DCMAKE_BUILD_TYPE="$type" >/dev/null
python3 "$source/tests/install/copy_objects.py" "$build" "$scratch/build"
"$cmake" --build "$scratch/build" >/dev/null
# knn BACKEND [OPTION]...
knn() {
    backend=$1
    shift
    "$scratch/build/denseval" knn --features "$features" --queries "$features" --images 0:1 --backend "$backend" \
        --out "$scratch/$backend.h5" --force --quiet "$@" >/dev/null 2>"$scratch/message"
}
# refused MESSAGE COMMAND...: exit status 69
refused() {
    message=$1 status=0
    shift
    "$@" || status=$?
    [ "$status" -eq 69 ] || { echo "exit status $status, expected 69" >&2; exit 1; }
    [ "$(cat "$scratch/message")" = "$message" ] || { cat "$scratch/message" >&2; exit 1; }
}
knn cpu
refused "denseval: faiss: this build has no FAISS" knn faiss
[ ! -e "$scratch/faiss.h5" ]

no_mpi="this build has no MPI, which ranks need"
refused "denseval: --split: $no_mpi" knn cpu --split queries
export OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=0 # as mpirun does
refused "denseval: $no_mpi: install libopenmpi-dev and build again" knn cpu
OMPI_COMM_WORLD_RANK=1
refused "" knn cpu # rank 0 has told it
OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0
knn cpu

#!/bin/sh
# Installs the Debian packages of the named sets that are missing; does nothing when all are there.
# usage: ensure-packages.sh build|test|lint|coverage|fuzz|peers...
set -eu

packages_of() {
    case $1 in
    build) echo gcc g++ make cmake pkg-config libhdf5-dev libfaiss-dev libopenblas-dev libjpeg62-turbo-dev \
        libspng-dev libdeflate-dev libjansson-dev libxxhash-dev libyaml-dev libopenmpi-dev ;;
    test) echo libcmocka-dev python3 python3-numpy python3-h5py gnuplot-nox openmpi-bin munge slurm-wlm ;;
    lint) echo clang-format clang-tidy cppcheck libomp-dev ;; # its omp.h is the one clang sees
    coverage) echo gcovr ;;
    fuzz) echo clang libclang-rt-14-dev libomp-dev ;;
    peers) echo python3-venv python3-pip ;;
    *)
        echo "ensure-packages.sh: no package set is called '$1'" >&2
        exit 64
        ;;
    esac
}

wanted=
for set in "$@"; do
    packages=$(packages_of "$set")
    wanted="$wanted $packages"
done

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "This is no Debian machine, so nothing is installed here. Needed:$wanted" >&2
    exit 0
fi

missing=
for package in $wanted; do
    # "gcc:amd64 ..." of a second architecture gives a second line, so look for the state anywhere in the answer.
    case $(dpkg-query -W -f='${Status}\n' "$package" 2>/dev/null || true) in
    *'install ok installed'*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root='sudo -n'
else
    echo "Packages are missing and only root can install them:$missing" >&2
    echo "Run: apt-get update && apt-get install -y --no-install-recommends$missing" >&2
    exit 1
fi

echo "Installing missing packages:$missing" >&2
if ! $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update >&2 ||
    ! $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing >&2; then
    echo "These packages could not be installed:$missing" >&2
    exit 1
fi

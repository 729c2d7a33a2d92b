#!/bin/sh
# Installs into a fresh folder, builds a small program against it by find_package and by pkg-config, and runs both.
# usage: run.sh CMAKE BUILD_DIR CONSUMER_DIR VERSION [INSTRUMENTATION_FLAGS]
set -eu
cmake=$1 build=$2 consumer=$3 version=$4
flags=${5:-}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/denseval-install.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
prefix="$scratch/a prefix" # a space, since users have them

"$cmake" --install "$build" --prefix "$prefix" >/dev/null

expect_version() {
    said=$("$1")
    [ "$said" = "denseval $version" ] || { echo "$1 says '$said', expected 'denseval $version'" >&2; exit 1; }
}

"$cmake" -S "$consumer" -B "$scratch/by-cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$flags" \
    -DDENSEVAL_WANTED="$version" >/dev/null
"$cmake" --build "$scratch/by-cmake" >/dev/null
expect_version "$scratch/by-cmake/consumer"

# The flags hold a quoted path, which only eval reads as the shell would.
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name denseval.pc)")
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion denseval)" = "$version" ]
eval "${CC:-cc} -std=c17 -Wall -Werror $flags -o '$scratch/by-pkg-config' '$consumer/consumer.c'" \
    "$(pkg-config --cflags --libs denseval)"
LD_LIBRARY_PATH=$(dirname "$(find "$prefix" -name libdenseval.so)")
export LD_LIBRARY_PATH
expect_version "$scratch/by-pkg-config"

#!/bin/sh
# All static checks, one line a stage; what a stage found stands below its line. usage: run.sh BUILD_DIR [JOBS]
# BUILD_DIR is configured (it holds compile_commands.json); nothing needs to be built.
set -u
build=$1
jobs=${2:-2}
cd "$(dirname "$0")/../.." || exit 1
python=/usr/bin/python3
[ -x "$python" ] || python=python3
found=$(mktemp) || exit 1
trap 'rm -f "$found"' EXIT
failed=0
bad=tests/lint/samples/bad.c

# stage NAME COMMAND...: runs it silently, tells how it went and how long it took, then what it found. Exit 77 is a skip.
stage() {
    name=$1
    shift
    started=$(date +%s)
    "$@" >"$found" 2>&1
    case $? in
    0) verdict=ok ;;
    77) verdict=skipped ;;
    *) verdict=FAILED failed=1 ;;
    esac
    printf '%-12s %s (%d s)\n' "$name" "$verdict" $(($(date +%s) - started))
    [ "$verdict" = ok ] || cat "$found"
}

# sound COMMAND SAMPLE: a check that lets the bad sample pass sees nothing at all (a wrong option is enough for that).
sound() {
    if "$1" "$2" >/dev/null 2>&1; then
        echo "$1 finds nothing in $2: it does not work"
        return 1
    fi
}

# Version 14 by name: others format differently, and Debian 12 has several.
format_files() {
    clang-format-14 --dry-run -Werror "$@" 2>&1 |
        sed -n 's/^\([^:]*:[0-9]*\):.*error:.*/\1: not as clang-format-14 -i leaves it/p' | sort -u -t: -k1,1 | grep . && return 1
    return 0
}
check_format() {
    sound format_files $bad || return 1
    format_files $(find include src tests bench -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' | grep -v "^$bad\$")
}

# gcc's flags are not all known to clang. The counts of warnings that are not shown are noise. One file a process: in a second one
# version 14 takes every va_list for uninitialized.
tidy_files() {
    printf '%s\n' "$@" | xargs -P "$jobs" -n 1 clang-tidy-14 --quiet -p "$build" --extra-arg=-Wno-unknown-warning-option \
        >"$found.tidy" 2>&1
    set -- $?
    grep -vE '^([0-9]+ (warnings?|errors?).* generated\.|Error while processing .*)$' "$found.tidy"
    rm -f "$found.tidy"
    return "$1"
}
# Sources below src that a build compiles.
compiled_files() {
    sed -n "s|^ *\"file\": \"$PWD/\(src/.*\.c\)\",*\$|\1|p" "$1/compile_commands.json" | sort -u
}
# What only a build with CUDA compiles, by the commands of a configuration that is never built.
tidy_cuda_files() {
    command -v nvcc >/dev/null 2>&1 || return 0
    plain_build=$build
    build=$(mktemp -d) || return 1
    cmake -S . -B "$build" -DDENSEVAL_CUDA=ON -DDENSEVAL_TESTS=OFF >"$build/said" 2>&1 || cat "$build/said"
    compiled_files "$plain_build" >"$build/plain"
    tidy_files $(compiled_files "$build" | grep -vxF -f "$build/plain")
    cuda_status=$?
    rm -rf "$build"
    build=$plain_build
    return $cuda_status
}
# Only what a build compiles.
check_tidy() {
    sound tidy_files $bad || return 1
    tidy_status=0
    tidy_cuda_files || tidy_status=1
    tidy_files $(compiled_files "$build") || tidy_status=1
    return $tidy_status
}

# 2.10 knows no c17; it would ignore the word.
cppcheck_files() {
    cppcheck -j "$jobs" --quiet --std=c11 --language=c --enable=warning,performance,portability --inline-suppr \
        --suppressions-list=tests/lint/cppcheck_suppressions.txt --error-exitcode=1 --include=tests/lint/cppcheck_macros.h \
        -Iinclude -Isrc/host "$@"
}
check_cppcheck() {
    sound cppcheck_files $bad || return 1
    cppcheck_files $(find src -name '*.c' | sort)
}

# Registers, spills and occupancy of the kernels; needs nvcc and no GPU.
kernel_table() {
    "$python" tests/lint/kernel_table.py "$@"
}
check_kernels() {
    kernel_table || return $?
    sound kernel_table tests/lint/samples/spills.cu
}

stage format check_format
stage tidy check_tidy
stage cppcheck check_cppcheck
stage includes "$python" tests/lint/check_includes.py
stage kernels check_kernels
stage headers "$python" tests/headers/check_headers.py include
exit $failed

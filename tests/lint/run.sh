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

headers_and_sources() {
    find include src tests bench -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' | sort
}

# stage NAME COMMAND...: runs it silently, tells how it went and how long it took.
stage() {
    name=$1
    shift
    started=$(date +%s)
    if "$@" >"$found" 2>&1; then verdict=ok; else verdict=FAILED failed=1; fi
    printf '%-12s %s (%d s)\n' "$name" "$verdict" $(($(date +%s) - started))
    [ "$verdict" = ok ] || cat "$found"
}

# Version 14 by name: others format differently, and Debian 12 has several.
check_format() {
    headers_and_sources | xargs -r clang-format-14 --dry-run -Werror 2>&1 |
        sed -n 's/^\([^:]*:[0-9]*\):.*error:.*/\1: not as clang-format-14 -i leaves it/p' | sort -u -t: -k1,1 | grep . && return 1
    return 0
}

# Only what the build compiles. gcc's flags are not all known to clang. The counts of warnings that are not shown are noise.
check_tidy() {
    compiled="s|^ *\"file\": \"$PWD/\(.*\.c\)\",*\$|\1|p"
    sed -n "$compiled" "$build/compile_commands.json" | grep '^src/' | sort -u |
        xargs -r -P "$jobs" -n 1 clang-tidy-14 --quiet -p "$build" --extra-arg=-Wno-unknown-warning-option >"$found.tidy" 2>&1
    set -- $?
    grep -vE '^([0-9]+ (warnings?|errors?).* generated\.|Error while processing .*)$' "$found.tidy"
    rm -f "$found.tidy"
    return "$1"
}

# 2.10 knows no c17; it would ignore the word. It sees no system headers, so loops that are their macros are named here.
check_cppcheck() {
    cppcheck -j "$jobs" --quiet --std=c11 --language=c --enable=warning,performance,portability --inline-suppr \
        --suppress=missingIncludeSystem --error-exitcode=1 -Iinclude -Isrc/host -D_GNU_SOURCE -D__x86_64__ \
        "-Djson_object_foreach(object,key,value)=for(;next(&key,&value);)" \
        "-Djson_array_foreach(array,index,value)=for(;next(&index,&value);)" \
        $(find src -name '*.c' | sort)
}

stage format check_format
stage tidy check_tidy
stage cppcheck check_cppcheck
stage includes "$python" tests/lint/check_includes.py
stage headers "$python" tests/headers/check_headers.py include
exit $failed

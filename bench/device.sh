#!/bin/sh
# What a GPU says: the differential tests on it, then the bench against cuBLAS, cuBLASLt and FAISS, in under 8 minutes.
# usage: device.sh [full|small]      small: seconds in all, for a first look
# Needs an NVIDIA GPU of compute capability 8.0 or later with its driver, and one of
#   DENSEVAL=PROGRAM         a program that is there already; TESTS=DIR: the programs of tests/differential, if any
#   build-device/            what bench/device_pack.sh made on another machine, with all libraries but the C library's
#   build-cuda/denseval      an earlier build
#   nvcc 13 and the packages of `sh cmake/ensure-packages.sh build test`, to build
# Peers, where found: libcublas and libcublasLt (LD_LIBRARY_PATH), FAISS with its GPU part. compute-sanitizer, nvidia-smi too.
# Results go to ${OUT:-bench/results}/: a file a step, and summary.json, written again after each step.
# Exit status: 0; 1 where a check failed or a step ran out of time; 69 without a usable GPU (the program says why); 143 where
# it was told to end: it then ends the step that runs.
set -u
size=${1:-full}
cd "$(dirname "$0")/.." || exit 1
out=${OUT:-bench/results}
most_s=470
mkdir -p "$out" || exit 1
started=$(date +%s)
steps='' failed=0 n_wrong=0
device=unknown driver=unknown message='' running=''

case $size in
full) queries=4096 k=30 runs=20 verify=64 all="320k,640k,1024k" dims="768 384 1024 1536" part=1 ;;
small) queries=64 k=5 runs=2 verify=64 all="600,900" dims="64" part=100 ;;
*)
    echo "device.sh: $size: must be full or small" >&2
    exit 64
    ;;
esac

seconds() { echo $(($(date +%s) - started)); }

# Text as a JSON string, on one line.
quoted() { printf '"%s"' "$(printf '%s' "$1" | tr '\n\t' '  ' | sed 's/[\\"]/\\&/g')"; }

write_summary() {
    {
        echo '{'
        echo ' "schema": "denseval device v1",'
        echo " \"device\": $(quoted "$device"),"
        echo " \"driver\": $(quoted "$driver"),"
        echo " \"size\": \"$size\","
        echo " \"seconds\": $(seconds),"
        echo " \"wrong\": $n_wrong,"
        echo " \"failed_steps\": $failed,"
        echo " \"message\": $(quoted "$message"),"
        printf ' "steps": [%s\n ]\n}\n' "$steps"
    } >"$out/summary.json"
}

# tell NAME VERDICT SECONDS WHY
tell() {
    steps="$steps${steps:+,}
  {\"step\": \"$1\", \"verdict\": \"$2\", \"seconds\": $3, \"why\": $(quoted "$4")}"
    printf '%-28s %s (%d s)%s\n' "$1" "$2" "$3" "${4:+: $4}"
    write_summary
}

last_line() { tail -n 1 "$1" 2>/dev/null | cut -c 1-300; }

# step NAME LIMIT_S OUTPUT COMMAND...: 0 passed, 69 no device or part of the build, 77 skipped; all else is a failure.
step() {
    name=$1 limit=$2 output=$3
    shift 3
    left=$((most_s - $(seconds)))
    if [ "$left" -le 0 ]; then
        tell "$name" "not reached" 0 "no time was left"
        failed=$((failed + 1))
        return 1
    fi
    [ "$limit" -le "$left" ] || limit=$left
    began=$(date +%s)
    running=yes # before it starts: a signal may come before the next line does
    timeout -k 5 "$limit" "$@" >"$out/$output" 2>"$out/$name.log" </dev/null &
    wait "$!"
    rc=$?
    running=
    took=$(($(date +%s) - began))
    wrong=$(sed -n 's/^ "wrong": \([0-9]*\).*/\1/p' "$out/$output" | tail -n 1)
    n_wrong=$((n_wrong + ${wrong:-0}))
    case $rc in
    0) tell "$name" ok $took "" ;;
    69) tell "$name" absent $took "$(last_line "$out/$name.log")" ;;
    77) tell "$name" skipped $took "$(last_line "$out/$output")" ;;
    *)
        failed=$((failed + 1))
        why=$(last_line "$out/$name.log")
        [ $rc -ne 124 ] && [ $rc -ne 137 ] || why="out of time after $limit s"
        tell "$name" failed $took "${why:-exit status $rc}"
        ;;
    esac
    [ -s "$out/$name.log" ] || rm -f "$out/$name.log"
    return $rc
}

end() {
    write_summary
    echo "summary: $out/summary.json   wrong $n_wrong   failed steps $failed   $(seconds) s"
    exit "$1"
}

# A step is in a process group of its own, which no signal to this one reaches. Called by traps.
# shellcheck disable=SC2317
interrupted() {
    message=interrupted failed=$((failed + 1))
    [ -z "$running" ] || kill "${!:-}" 2>/dev/null
    end 143
}
trap interrupted HUP INT TERM

smi() { nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null | head -n 1; }
# Called before and after: clocks and temperature tell whether it was throttled.
describe_machine() {
    uname -srm
    grep -m 1 'model name' /proc/cpuinfo
    getconf _NPROCESSORS_ONLN
    command -v nvidia-smi >/dev/null || { echo "nvidia-smi was not found"; return 0; }
    nvidia-smi --query-gpu=name,driver_version,compute_cap,memory.total,clocks.sm,clocks.max.sm,clocks.mem,power.draw,power.limit,temperature.gpu \
        --format=csv
}
if command -v nvidia-smi >/dev/null; then
    device=$(smi name) driver=$(smi driver_version)
    device=${device:-unknown} driver=${driver:-unknown}
fi
describe_machine >"$out/machine_before.txt" 2>&1

# Is it worth a build? A device file of Linux or of Windows' own Linux, or what nvidia-smi lists.
has_gpu() { ls /dev/nvidia[0-9]* >/dev/null 2>&1 || [ -e /dev/dxg ] || nvidia-smi -L >/dev/null 2>&1; }

# Does it start here? Not if it was built for another C library.
starts() { "$1" --version >/dev/null 2>&1; }

# Run by another shell, since timeout takes no functions.
# shellcheck disable=SC2016
build='cmake --preset cuda -DDENSEVAL_WGMMA=ON && cmake --build --preset cuda -j "$(getconf _NPROCESSORS_ONLN)" --target \
    denseval_cli test_search_devices test_search_contract test_slots_devices test_masks_devices test_shared_bank'
if [ -n "${DENSEVAL:-}" ]; then
    program=$DENSEVAL tests=${TESTS:-}
    tell build "not needed" 0 "DENSEVAL names a program"
else
    LD_LIBRARY_PATH=$PWD/build-device/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
    [ ! -e build-device/packed.tar.gz ] || tar -C build-device -xzf build-device/packed.tar.gz
    if starts build-device/denseval; then
        program=build-device/denseval tests=build-device/tests
        tell build "not needed" 0 "build-device/ is there"
    else
        program=build-cuda/denseval tests=build-cuda/tests/differential
        if starts $program && [ -x $tests/test_search_devices ]; then
            tell build "not needed" 0 "build-cuda/ is there"
        elif ! has_gpu; then
            message="no NVIDIA GPU is here, so nothing is built: no device file, and nvidia-smi lists none"
            tell build "no device" 0 "$message"
            end 69
        else
            step build 170 build.txt sh -c "$build" || end 1
        fi
    fi
fi
# The peers of cuBLAS use one GPU, so what they are compared with does, too.
export CUDA_VISIBLE_DEVICES="${CUDA_VISIBLE_DEVICES-0}"
timeout -k 5 60 "$program" info --json >"$out/info.json" 2>&1

timeout -k 5 60 "$program" bench confusion --backend cuda --images 1 --height 64 --width 64 --classes 4 --runs 1 --warm-up 0 \
    --memory-limit 64MiB >"$out/first.txt" 2>&1
rc=$?
if [ $rc -ne 0 ]; then
    message=$(last_line "$out/first.txt")
    [ $rc -ne 69 ] || { tell "first call" "no device" 0 "$message"; end 69; }
    failed=1
    tell "first call" failed 0 "${message:-exit status $rc}"
    end 1
fi

# Every slot against the reference, bit by bit, on this device.
DV_TEST_DEVICE=cuda DV_TEST_PART=${DV_TEST_PART:-$part}
export DV_TEST_DEVICE DV_TEST_PART
for test in test_slots_devices test_search_contract test_search_devices test_masks_devices test_shared_bank; do
    if [ -x "$tests/$test" ]; then
        step $test 40 $test.txt "$tests/$test"
    else
        tell $test missing 0 "no such program in '$tests'"
    fi
done

# Whole commands: files of the same bytes from the GPU as from this machine's cores.
export program out
demo=tests/data/demo/features_early.h5
export demo
# shellcheck disable=SC2016
same_lists='for backend in cpu cuda; do
    "$program" knn --features $demo --queries $demo --images 0:1 --backend $backend --out "$out/knn_$backend.h5" --force --quiet || exit
done
cmp "$out/knn_cpu.h5" "$out/knn_cuda.h5"'
# shellcheck disable=SC2016
same_predictions='for backend in cpu cuda; do
    "$program" eval --features $demo --queries $demo --backend $backend --predictions "$out/predictions_$backend" --force --quiet || exit
done
diff -r "$out/predictions_cpu" "$out/predictions_cuda"'
step knn 20 knn.txt sh -c "$same_lists"
[ "$size" = small ] || step eval 30 eval.txt sh -c "$same_predictions"
[ "$size" = small ] || step demo 40 demo.txt sh configs/demo.sh "$program" "$out/demo"
rm -rf "$out"/knn_*.h5 "$out"/predictions_* "$out/demo"

# Memory and races, by a small search without a peer: what those libraries do is not for us to mend.
for tool in memcheck racecheck; do
    if command -v compute-sanitizer >/dev/null; then
        step $tool 40 $tool.txt compute-sanitizer --tool $tool --error-exitcode 1 "$program" knn --features $demo --queries $demo \
            --images 0:1 --backend cuda --out "$out/knn_$tool.h5" --force --quiet
        rm -f "$out/knn_$tool.h5"
    else
        tell $tool missing 0 "compute-sanitizer was not found"
    fi
done

# bench STAGE LIMIT_S OUTPUT OPTIONS...: one JSON object.
bench() {
    stage=$1 limit=$2 output=$3
    shift 3
    step "$output" "$limit" "$output.json" "$program" bench "$stage" --backend cuda --json "$@"
}
if [ "$size" = small ]; then
    bench confusion 20 confusion --images 1 --height 64 --width 64 --classes 21 --runs $runs
    bench aggregate 20 aggregate --rows 500 --patches 64 --classes 21 --runs $runs
    bench jf 20 jf --frames 1 --height 48 --width 64 --objects 2 --runs $runs
else
    bench confusion 20 confusion --runs $runs
    bench aggregate 20 aggregate --runs $runs
    bench jf 30 jf
    bench io 20 io
fi
# A result for each dimension: what the time does not suffice for is missing, and no more than that.
for dim in $dims; do
    bench search 70 "search_$dim" --dims "$dim" --rows $all --queries $queries -k $k --verify $verify --runs $runs
done
if [ "$size" = full ]; then
    bench search 30 near_duplicates --kind near-duplicate --dims 768 --rows 1024k --queries $queries -k $k --verify $verify --runs $runs
    # Kernels that no GPU is known to have run, so last: one that does not end takes the device with it.
    for kernel in wgmma wgmma-pair; do
        bench search 20 $kernel --kernel $kernel --dims 768 --rows 1024k --queries $queries -k $k --verify $verify --runs $runs
    done
fi
describe_machine >"$out/machine_after.txt" 2>&1

[ "$n_wrong" -eq 0 ] && [ "$failed" -eq 0 ] && end 0
end 1

"""What each build of the emulator says of kernels with a planted fault, and that it says nothing of right ones.

usage: run_faults.py plain|asan|tsan COMMAND...   COMMAND NAME runs the kernel called NAME (faults.cpp)
"""
import re
import subprocess
import sys

WRONG = "is wrong with seed"  # seen by the result alone, in some of the settings
NOTHING = ""                  # cannot be seen by this build
RACE = "data race"
STUCK = r"threads wait for others that never come\n(  threads .*\n)+"
LINE = r"\w+_faults\.cu:\d+"
NAMED_RACE = rf"{RACE}(?s:.*){LINE}(?s:.*)Previous (?s:.*){LINE}"

RIGHT = ["product", "collectives", "shared_sum", "warp_sum", "count", "one_block_writes", "shuffled_sum", "barrier",
         "round_trip", "peer_copy"]

# Fault: what the plain build, AddressSanitizer and ThreadSanitizer say of it.
FAULTS = {
    "no_barrier": (WRONG, WRONG, NAMED_RACE),
    "refill_early": (WRONG, WRONG, NAMED_RACE),
    "wait_too_few": (WRONG, WRONG, rf"{RACE}(?s:.*)simt_copy_wait(?s:.*)Previous (?s:.*){LINE}"),
    "no_empty_commit": (WRONG, WRONG, RACE),
    "wrong_swizzle": (WRONG, WRONG, WRONG),
    "swapped_b": (WRONG, WRONG, WRONG),
    "swapped_c": (WRONG, WRONG, WRONG),
    "no_tail": (r"product<FAULT> wrote at byte 230\d\d of a buffer of 23040 bytes", r"heap-buffer-overflow(.*\n)+.*store", RACE),
    "misaligned_matrix": (rf"ldmatrix from an address that is not a multiple of 16, at .*{LINE}",) * 3,
    "matrix_by_half": (rf"{STUCK}",) * 3,
    "barrier_by_half": (rf"{STUCK}", rf"{STUCK}", rf"{RACE}|{STUCK}"),
    "stage_too_small": (rf"thread 124: cp.async to outside of shared memory, at .*{LINE}",) * 3,
    "unwaited": ("ends with 2 copies .cp.async. that it never waited for",) * 3,
    "shared_without_barrier": (WRONG, WRONG, RACE),
    "shared_too_small": ("shared memory 'slots' of 508 bytes was written at byte 508", "heap-buffer-overflow",
                         "shared memory 'slots' of 508 bytes was written at byte 508"),
    "unwritten_shared": (WRONG, WRONG, NOTHING),
    "warp_without_barrier": (WRONG, WRONG, RACE),
    "count_without_atomic": (NOTHING, NOTHING, NAMED_RACE),
    "two_blocks_write": (NOTHING, NOTHING, NAMED_RACE),
    "lane_outside_mask": (rf"lane \d+ is not in its own mask 0000ffff at .*{LINE}",) * 3,
    "exited_lanes": (r"  threads [-, \d]*48-49.* have ended\n  threads 32-47, 50-63 wait in shuffle with mask ffffffff",) * 3,
    "shuffle_from_outside": ("lane 0 takes a value from lane 16, which is not in mask 0000ffff",) * 3,
    "two_masks": (rf"  threads 16-31, .* wait in shuffle with mask ffffffff at .*{LINE}",) * 3,
    "barrier_after_exit": (r"  threads 0-95 wait in __syncthreads at .*:\d+\n  threads 96-127 have ended",) * 3,
    "two_barriers": (r"__syncthreads on different lines\n  threads 0-63 wait .*\n  threads 64-127 wait ",) * 3,
    "write_past_end": ("wrote at byte 4 of a buffer of 4 bytes", "heap-buffer-overflow",
                       "wrote at byte 4 of a buffer of 4 bytes"),
    "read_past_end": (NOTHING, "heap-buffer-overflow", NOTHING),
    "copy_to_global": (rf"cp.async to outside of shared memory, at .*{LINE}",) * 3,
    "host_read": (NOTHING, "use-after-poison", NOTHING),
    "missing_event": (WRONG, WRONG, RACE),
    "event_too_early": (WRONG, WRONG, RACE),
    "missing_wait": (WRONG, WRONG, RACE),
    "source_reused_early": (WRONG, WRONG, RACE),
    "copy_past_end": ("cudaMemcpy: bytes 0 to 260 of a buffer of 256 bytes",) * 3,
    "wrong_peer": ("cudaMemcpyPeer: memory of device 1, said to be of device 0",) * 3,
    "other_device": (NOTHING, r"use-after-poison(.*\n)+.*add_one", NOTHING),
}


def fault_of(command, name, expected):
    """One line when the program does not say what is expected, else None."""
    done = subprocess.run([*command, name], stderr=subprocess.PIPE, text=True, timeout=300, check=False)
    if expected == NOTHING:
        if done.returncode != 0 or done.stderr:
            return f"{name}: exit {done.returncode} and a report, expected none:\n{done.stderr}"
    elif done.returncode == 0 or not re.search(expected, done.stderr):
        return f"{name}: exit {done.returncode} without '{expected}':\n{done.stderr}"
    return None


def main():
    build, command = sys.argv[1], sys.argv[2:]
    which = ["plain", "asan", "tsan"].index(build)
    expected = [(name, NOTHING) for name in RIGHT] + [(name, said[which]) for name, said in FAULTS.items()]
    found = [fault for fault in (fault_of(command, *each) for each in expected) if fault]
    for fault in found:
        print(fault)
    print(f"{len(expected)} kernels, {len(found)} not as expected")
    return 1 if found else 0


sys.exit(main())

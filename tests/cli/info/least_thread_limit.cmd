# SYS-03: the least of all limits.
OMP_NUM_THREADS=1,4 "$DENSEVAL" info --json --threads 64 | $JSON machine.threads.allowed machine.threads.omp_num_threads machine.threads.option

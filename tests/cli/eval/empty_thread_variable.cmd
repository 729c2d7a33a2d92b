# An empty variable is as good as none. libgomp has its own line about it, which is not ours to judge.
"$PYTHON" "$CLI/make_features.py" f.h5
OMP_NUM_THREADS= SLURM_CPUS_PER_TASK= "$DENSEVAL" eval --features f.h5 --queries f.h5 -k 3 >/dev/null 2>&1

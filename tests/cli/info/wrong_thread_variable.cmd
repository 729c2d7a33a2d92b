# Where libgomp is loaded, it says so too, before we run.
OMP_NUM_THREADS=many "$DENSEVAL" info

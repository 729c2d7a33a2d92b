# As srun starts several, without the PMI that its ranks would find each other by.
"$PYTHON" "$CLI/make_features.py" f.h5
knn() { env "$@" "$DENSEVAL" knn --features f.h5 --queries f.h5 -k 3 --out k.h5 $more; echo "$?"; }
knn SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0
knn SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=3 SLURM_TASK_PID=$$ # the first one tells
knn SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=3 SLURM_TASK_PID=1  # it may be a step of long ago
knn SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0 PMI_SIZE=2 PMI_RANK=1
ls k.h5 2>/dev/null
knn SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0 SLURM_NTASKS=4 >alone.txt
tail -n 1 alone.txt
rm k.h5
more="--alone --quiet"
knn SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=3 PMIX_RANK=3 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=3 >alone.txt
tail -n 1 alone.txt
ls k.h5

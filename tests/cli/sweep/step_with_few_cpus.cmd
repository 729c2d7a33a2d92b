sh "$CLI/make_sweep.sh" > s.yaml
export SLURM_JOB_ID=80 SLURM_ARRAY_JOB_ID=77 SLURM_ARRAY_TASK_ID=3 SLURM_RESTART_COUNT=2 SLURMD_NODENAME=n1 SLURM_STEP_ID=0 \
    SLURM_STEP_TASKS_PER_NODE=1 SLURM_JOB_CPUS_PER_NODE='8(x2)' SLURM_CPUS_ON_NODE=1 SLURM_MEM_PER_NODE=1024 SLURM_GPUS_ON_NODE=4
taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')" "$DENSEVAL" sweep s.yaml --out out --plots none > table.txt
$JSON job.id job.array_id job.array_task job.restarts job.node job.cpus job.memory_bytes job.gpus < out/resources.json
grep -c '_efficiency' out/resources.json
# Below mpirun its own options are named.
OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_LOCAL_SIZE=2 taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')" "$DENSEVAL" sweep s.yaml --out mpi --plots none --alone > table.txt

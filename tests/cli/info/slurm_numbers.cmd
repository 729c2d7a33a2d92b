# The variable that is set is named; what no machine has is not told.
one=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
SLURM_JOB_ID=1 SLURM_CPUS_ON_NODE=3 taskset -c "$one" "$DENSEVAL" info --json | $JSON machine.threads.allowed
export SLURM_JOB_ID=1 SLURM_CPUS_PER_TASK=9223372036854775808 SLURM_JOB_CPUS_PER_NODE='99999999999999999999999(x2)' \
    OMPI_COMM_WORLD_LOCAL_SIZE=9223372036854775808
taskset -c "$one" "$DENSEVAL" info --json | $JSON machine.threads.allowed
SLURM_JOB_CPUS_PER_NODE=4 taskset -c "$one" "$DENSEVAL" info --json | $JSON machine.threads.allowed

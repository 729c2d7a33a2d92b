# SYS-04: the variable says 8, the step runs on one CPU.
SLURM_CPUS_PER_TASK=8 taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" "$DENSEVAL" info --json | $JSON machine.threads.allowed machine.threads.slurm_cpus_per_task machine.threads.affinity

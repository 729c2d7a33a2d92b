SLURM_CPUS_PER_TASK=8 taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" "$DENSEVAL" info --json --quiet | $JSON machine.threads.allowed

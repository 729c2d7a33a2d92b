. "$CLI/objects/targets.sh"
SLURM_JOB_ID=7 SLURM_CPUS_ON_NODE=1 SLURM_RESTART_COUNT=no "$DENSEVAL" objects --targets targets.json --truth truth --pred pred --out out > table.txt
$JSON job.id job.restarts job.cpus < out/resources.json

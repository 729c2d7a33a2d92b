sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --print-slurm --json || echo $?
"$DENSEVAL" sweep s.yaml --print-slurm --force

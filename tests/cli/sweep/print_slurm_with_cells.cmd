sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --print-slurm --cells 1/2

sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --print-slurm --split bank 2> said
status=$?
grep -q "no MPI" said && exit 77 # such a build refuses --split whatever the command is
cat said >&2
exit $status

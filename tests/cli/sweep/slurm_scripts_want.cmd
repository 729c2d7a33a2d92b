# What a script wants is told before anything is queued or computed.
scripts=$DATA/../../configs/slurm
sh "$CLI/make_sweep.sh" > s.yaml
export CONFIG=s.yaml DENSEVAL
for script in sweep one-node nodes; do
    DENSEVAL=no/denseval bash "$scripts/$script.sbatch"; echo "status $?"
    CONFIG=no.yaml bash "$scripts/$script.sbatch"; echo "status $?"
done
mkdir out
OUT=out bash "$scripts/sweep.sbatch"; echo "status $?"
touch out/.denseval-result
OUT=out bash "$scripts/sweep.sbatch"; echo "status $?"
ls

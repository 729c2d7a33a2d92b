sh "$CLI/make_sweep.sh" > "it's.yaml"
"$DENSEVAL" sweep "it's.yaml" --print-slurm --threads 1 --jobs 2 --gpus 3 --bootstrap 10 --exclude object --plots none --skip-bad > script
bash -n script
head -1 script
grep -E '^#SBATCH|^PARTS|_OPTIONS=|^MERGE_RES' script
(CONFIG= OUT= && eval "$(grep -E '^(CONFIG|OUT)=' script)" && [ "$CONFIG" = "$PWD/it's.yaml" ] && [ "$OUT" = "$PWD/out/it's" ]) && echo names
sed -n '/^# ---- Nothing/,$p' script > tail; sed -n '/^# ---- Nothing/,$p' "$DATA/../../configs/slurm/sweep.sbatch" | cmp - tail && echo same
ls
for script in one-node nodes; do # what they share is the same in all
    sed -n '/^# ---- Nothing/,/^# ---- Up to here/p' "$DATA/../../configs/slurm/$script.sbatch" > "$script"
    sed -n '/^# ---- Nothing/,/^# ---- Up to here/p' "$DATA/../../configs/slurm/sweep.sbatch" | cmp - "$script"
    rm "$script"
done
"$DENSEVAL" sweep "it's.yaml" --print-slurm --threads 1 --jobs 1 | grep -A7 "in 1 part. Estimates" | grep -v 'Asked for'

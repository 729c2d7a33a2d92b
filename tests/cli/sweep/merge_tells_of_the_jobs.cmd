sh "$CLI/make_sweep.sh" > s.yaml
part() {
    SLURM_JOB_ID=$((80 + $1)) SLURM_ARRAY_JOB_ID=77 SLURM_ARRAY_TASK_ID=$1 SLURM_CPUS_ON_NODE=1 SLURM_MEM_PER_NODE=$(($1 * 1000)) \
        "$DENSEVAL" sweep s.yaml --out "part$1" --cells "$1/2" --plots none > table.txt 2> log.txt
}
part 1 && part 2 && "$DENSEVAL" sweep merge part1 part2 --out out --plots none > table.txt
$JSON parts job.cpus job.memory_bytes < out/resources.json
$JSON of_parts < out/resources.json | grep -o '"job": "[^"]*"'
# What the job was given counts in the table of runs, threads do not.
python3 - <<'END'
import json
part = json.load(open("part1/resources.json"))
part["job"].update(cpu_efficiency=0.125, memory_efficiency=0.25)
json.dump(part, open("part1/resources.json", "w"))
END
"$DENSEVAL" viewpoint analyze --results part1/results.json --out tables --plots none --json > analysis.json
$JSON runtime < analysis.json | grep -o '_efficiency": [0-9.]*'
# A part without a job: nothing is said of all of them.
python3 - <<'END'
import json
part = json.load(open("part1/resources.json"))
del part["job"]
json.dump(part, open("part1/resources.json", "w"))
END
"$DENSEVAL" sweep merge part1 part2 --out out --plots none --force > table.txt
grep -c '"job":' out/resources.json

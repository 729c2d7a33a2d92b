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
# GPUs, where a part had them: seconds add up, memory is the most of a part.
python3 - <<'END'
import json
for name, gpu_s, n_bytes in (("part1", 1.5, 3000), ("part2", 2, 1000)):
    part = json.load(open(name + "/resources.json"))
    part["resources"].update(gpus=2, gpu_s=gpu_s, gpu_memory_bytes=n_bytes)
    json.dump(part, open(name + "/resources.json", "w"))
END
"$DENSEVAL" sweep merge part1 part2 --out out --plots none --force > table.txt
for key in resources job of_parts; do $JSON $key < out/resources.json | grep -o '"gpu[a-z_]*": [0-9.]*'; done
"$DENSEVAL" viewpoint analyze --results part1/results.json --out tables --plots none --force > table.txt
grep -o '| gpu.*' tables/runtime.md
grep -o '| 1.5 .*' tables/runtime.md
# A part without a job: nothing is said of all of them.
python3 - <<'END'
import json
part = json.load(open("part1/resources.json"))
del part["job"]
json.dump(part, open("part1/resources.json", "w"))
END
"$DENSEVAL" sweep merge part1 part2 --out out --plots none --force > table.txt
grep -c '"job":' out/resources.json
# In the table of runs memory is that of the job, and a merged row is the sum of its parts.
"$DENSEVAL" viewpoint analyze --results out/results.json,part2/results.json --out tables --plots none --force --json > analysis.json
$JSON runtime < analysis.json | grep -o '"sum_of_parts": [0-9]*\|"memory_efficiency": null\|"memory_efficiency": [0-9]'
cut -d, -f8-11 tables/runtime.csv

# Cells, experiments, heat maps, and what the run, its ranks and its job cost.
python3 "$CLI/make_results.py"
mkdir r && mv results.json r
cat >r/resources.json <<'END'
{"schema": "denseval resources v1", "command": "sweep", "version": "0.1.0", "settings": {}, "inputs": [],
 "resources": {"wall_s": 2.5, "cpu_s": 4, "cpu_efficiency": 0.8, "max_rss_bytes": 3145728, "threads": 2, "gpus": 2, "gpu_s": 2.5, "gpu_memory_bytes": 5242880, "stages_s": {"read": 0.5}, "ranks": [
  {"rank": 0, "host": "n1", "cpu_s": 4, "max_rss_bytes": 3145728, "bytes_read": 2048, "gpus": 2, "gpu_s": 1.5, "gpu_memory_bytes": 5242880},
  {"rank": 1, "host": "n2", "cpu_s": 3, "max_rss_bytes": 4194304, "bytes_read": 1024, "gpus": 1, "gpu_s": 1, "gpu_memory_bytes": 1048576}]},
 "job": {"id": "1234", "array_id": "1230", "array_task": "3", "node": "n1", "restarts": 1, "cpus": 4, "memory_bytes": 1073741824,
  "allocated_cpu_s": 10, "cpu_efficiency": 0.4, "memory_efficiency": 0.0029, "gpu_s": 2.5, "gpu_memory_bytes": 6291456}}
END
"$DENSEVAL" viewpoint analyze --plots none --results r/results.json --out a --quiet >/dev/null
sed -n 2p a/runtime.csv | cut -d, -f 6-
cp a/analysis.json r
echo notes >r/notes.txt
echo '{"other": 1}' >r/other.json
"$DENSEVAL" report r --out page.html
python3 "$CLI/report_text.py" page.html >page.txt
sed -n '/^Experiment A/,/^results.json/p; /^Resources/,/^Settings/p; /^Other/,$p' page.txt
grep -c '<title>Confusion: ' page.html
# The same folder, called otherwise, gives the same bytes.
cd r && "$DENSEVAL" report "$PWD/../r/" --out ../again.html --quiet >/dev/null && cmp ../page.html ../again.html

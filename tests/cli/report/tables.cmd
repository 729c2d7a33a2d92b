# Keys as words with their units, an interval behind its score, lists in brackets, what is empty, and many lines folded; of
# several methods each one once; how a run searched behind what it scored; restarts and parts of a merge.
mkdir r
python3 - <<'END'
import json
with open("r/eval.json", "w", encoding="ascii") as f:
    json.dump({"schema": "denseval eval v1", "command": "eval", "settings": {"compat": "hummingbird", "radius_px": None},
               "inputs": [{"path": "a.h5", "size": 2048, "hash": "xxh3-128:00"}], "search": {"queries_per_s": 51148.125, "bank_bytes": 1536},
               "miou": 0.5, "mean_accuracy": 1e-5, "skipped": [], "relabel": [0, 2], "same": False, "join": {"bad_lines": [62]},
               "miou_interval_95": {"low": 0.25, "high": 0.75, "resamples": 9}, "classes": [{"id": i, "iou": None if i == 3 else i / 64,
               "frames": list(range(20))} for i in range(25)], "resources": {"wall_s": 1.5, "cpu_efficiency": 0.125}}, f)
method = {"name": "ours", "mean_of_category_means": 0.5, "targets": [{"id": "T0", "iou": 0.5}]}
with open("r/objects.json", "w", encoding="ascii") as f:
    json.dump({"schema": "denseval objects v1", "command": "objects", **method, "methods": [method, {**method, "name": "theirs"}]}, f)
with open("r/resources.json", "w", encoding="ascii") as f:
    json.dump({"schema": "denseval resources v1", "command": "sweep merge", "resources": {"wall_s": 3}, "restarts": 2, "parts": 2,
               "of_parts": [{"part": 1, "job": "7_1", "wall_s": 1}, {"part": 2, "job": "7_2", "wall_s": 2}]}, f)
END
"$DENSEVAL" report r --out page.html --quiet && python3 "$CLI/report_text.py" page.html | grep -v '^[4-9] |\|^1[0-9] |'
grep -c '<details><summary>classes: 25 lines' page.html

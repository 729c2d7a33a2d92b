# Experiments A and B with their intervals in the tables, where resamples break, what the runs of Experiment C cost; the
# curves have bands (two of three gaps between bins) and rings.
mkdir r
cat >r/analysis.json <<'END'
{"schema": "denseval analysis v1", "command": "viewpoint analyze", "version": "0.1.0", "partial": true, "bins": [0, 15, 30, 45],
 "experiment_a": [{"encoder": "a_b", "memory": 320000, "difficulty": "hard", "miou": 0.5, "std": 0.125,
   "miou_interval_95": {"low": 0.4, "high": 0.6, "resamples": 100}}],
 "experiment_b": [{"encoder": "a_b", "memory": 320000, "difficulty": "hard", "bins": [0, 15, 45], "normalised": [1.0, 0.75, null],
   "breaking_bin_all": 15, "breaking_step_all": -0.25, "breaking_bin_validation": null, "steepest_bin": 45, "steepest_step": -0.25,
   "normalised_intervals_95": [{"low": 1.0, "high": 1.0}, {"low": 0.7, "high": 1.05}, {"low": null, "high": null}],
   "breaking_shares_validation": [0.0, 0.25, 0.125], "never_breaks_validation": 0.625}],
 "experiment_c": [], "curves": [{"encoder": "a_b", "memory": 320000, "difficulty": "hard", "points": [
   {"bin": 0, "reference": true, "miou": 0.5, "miou_interval_95": {"low": 0.4, "high": 0.6}},
   {"bin": 15, "reference": false, "miou": 0.4, "miou_interval_95": {"low": 0.3, "high": 0.5}},
   {"bin": 30, "reference": false, "miou": 0.3, "miou_interval_95": {"low": 0.2, "high": 0.4}},
   {"bin": 45, "reference": false, "miou": 0.3}]}],
 "runtime": [{"results": "x/results.json", "encoders": "a_b", "memory": "320000", "wall_s": 3600.5, "cpu_s": 7000, "cpu_efficiency": 0.972,
   "max_rss_bytes": 1572864, "memory_efficiency": null, "threads": 2}],
 "pairs": [{"a": "a_b", "b": "c", "a_above_b": 0.75, "equal": 0, "resamples": 100}], "bootstrap": {"resamples": 100, "objects": 8}}
END
"$DENSEVAL" report r --out page.html --quiet && python3 "$CLI/report_text.py" page.html
grep -c 'fill-opacity' page.html
grep -c 'r="6"' page.html
grep -o '<title>a_b, [^<]*' page.html

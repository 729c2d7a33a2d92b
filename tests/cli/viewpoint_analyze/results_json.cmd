# A results.json gives the same numbers as the CSVs, with the names of classes, provenance, and what the run cost.
"$PYTHON" "$CLI/make_results.py" --resources
"$DENSEVAL" viewpoint analyze --plots none --results results.json --out j --quiet | grep -v '^results: ' >j.txt
"$DENSEVAL" viewpoint analyze --plots none --results 'a_memory*.csv' --out c --quiet | grep -v '^results: ' >c.txt
cmp j.txt c.txt
cmp j/experiment_a.csv c/experiment_a.csv && cmp j/experiment_b.csv c/experiment_b.csv && cmp j/experiment_c.csv c/experiment_c.csv
cat j/runtime.md
head -2 j/provenance.csv
grep 'a._b' j/classes.tex | head -1

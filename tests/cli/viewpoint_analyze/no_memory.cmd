"$PYTHON" "$CLI/make_results.py"
mv a_memory100.csv a.csv
"$DENSEVAL" viewpoint analyze --plots none --results a.csv --out out

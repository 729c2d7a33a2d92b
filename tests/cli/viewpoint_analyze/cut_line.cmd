"$PYTHON" "$CLI/make_results.py"
head -c -7 a_memory100.csv >b_memory100.csv
"$DENSEVAL" viewpoint analyze --plots none --results b_memory100.csv --out out

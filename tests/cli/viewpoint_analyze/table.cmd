"$PYTHON" "$CLI/make_results.py"
"$DENSEVAL" viewpoint analyze --results a_memory100.csv,a_memory200.csv --out out
ls -A out

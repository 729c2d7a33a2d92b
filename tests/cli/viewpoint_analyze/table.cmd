"$PYTHON" "$CLI/make_results.py"
"$DENSEVAL" viewpoint analyze --plots none --results a_memory100.csv,a_memory200.csv --out out
ls -A out

"$PYTHON" "$CLI/make_results.py"
"$DENSEVAL" viewpoint analyze --plots none --results results.json --out . --force

"$PYTHON" "$CLI/make_results.py"
"$DENSEVAL" viewpoint analyze --results results.json --out . --force

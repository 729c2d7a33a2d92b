"$PYTHON" "$CLI/make_results.py"
head -c 1000 results.json >cut.json
"$DENSEVAL" viewpoint analyze --results cut.json --out out

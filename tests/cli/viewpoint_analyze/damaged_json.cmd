"$PYTHON" "$CLI/make_results.py"
head -c 1000 results.json >cut.json
"$DENSEVAL" viewpoint analyze --plots none --results cut.json --out out

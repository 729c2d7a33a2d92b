"$PYTHON" "$CLI/make_results.py"
echo flat,0,0,0.7,0.9,0.5 >>a_memory100.csv
"$DENSEVAL" viewpoint analyze --plots none --results a_memory100.csv --out out

"$PYTHON" "$CLI/make_results.py"
sed 's/^flat,0,15,0.8,/flat,0,15,0.75,/' a_memory100.csv >b_memory100.csv
"$DENSEVAL" viewpoint analyze --plots none --results a_memory100.csv,b_memory100.csv --out out

# All bad rows are listed.
"$PYTHON" "$CLI/make_results.py"
sed -i 's/^flat,0,15,0.8,/flat,0,15,high,/; s/^flat,0,30,0.8,/flat,0,30,80,/' a_memory100.csv
"$DENSEVAL" viewpoint analyze --plots none --results a_memory100.csv --out out

# A job that was restarted wrote its rows again.
"$PYTHON" "$CLI/make_results.py"
tail -n +2 a_memory100.csv | head -3 >>a_memory100.csv
"$DENSEVAL" viewpoint analyze --plots none --results a_memory100.csv --out twice --quiet | grep -v '^results: ' >twice.txt
"$PYTHON" "$CLI/make_results.py"
"$DENSEVAL" viewpoint analyze --plots none --results a_memory100.csv --out once --quiet | grep -v '^results: ' >once.txt
cmp once.txt twice.txt && cmp once/classes.csv twice/classes.csv && wc -l <once/curves.csv

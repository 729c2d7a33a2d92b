# A job that was restarted wrote its rows again.
"$PYTHON" "$CLI/make_results.py"
tail -n +2 a_memory100.csv | head -3 >>a_memory100.csv
"$DENSEVAL" viewpoint analyze --plots none --results a_memory100.csv --out twice --quiet >twice.txt
"$PYTHON" "$CLI/make_results.py"
"$DENSEVAL" viewpoint analyze --plots none --results a_memory100.csv --out once --quiet >once.txt
cmp once.txt twice.txt && cmp once/classes.csv twice/classes.csv && wc -l <once/curves.csv

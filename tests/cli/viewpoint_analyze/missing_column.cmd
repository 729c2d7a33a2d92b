"$PYTHON" "$CLI/make_results.py"
cut -d, -f1-3,5- a_memory100.csv >b_memory100.csv
"$DENSEVAL" viewpoint analyze --plots none --results b_memory100.csv --out out
status=$?
ls -A
exit $status

"$PYTHON" "$CLI/make_results.py"
for out in a b; do "$DENSEVAL" viewpoint analyze --plots none --results results.json --out $out --quiet >/dev/null; done
diff -r a b && echo same

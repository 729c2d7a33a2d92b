"$PYTHON" "$CLI/make_counts.py"
rm bad/object_counts.h5
"$DENSEVAL" viewpoint analyze --plots none --results good/results.json bad/results.json --bootstrap 10 --out out

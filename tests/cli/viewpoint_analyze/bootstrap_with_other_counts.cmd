"$PYTHON" "$CLI/make_counts.py"
cp both/object_counts.h5 bad/object_counts.h5
"$DENSEVAL" viewpoint analyze --plots none --results bad/results.json --bootstrap 10 --out out
echo $?
cp good/object_counts.h5 bad/object_counts.h5
"$DENSEVAL" viewpoint analyze --plots none --results bad/results.json --bootstrap 10 --out out

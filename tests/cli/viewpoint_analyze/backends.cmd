# Whatever resamples, the bytes are the same; what is no backend is refused, and so before anything is read.
"$PYTHON" "$CLI/make_counts.py"
analyze() { "$DENSEVAL" viewpoint analyze --plots none --results both/results.json --bootstrap 50 --quiet --out "$@"; }
analyze host >host.txt
for backend in auto cpu reference; do
    analyze $backend --backend $backend >$backend.txt && diff -r host $backend && echo "$backend: the same"
done
analyze none --backend tpu

# Four images of two patches: six bank rows again and again, two queries.
"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" bench search --memory-limit 64MiB --features f.h5 --rows 40 --queries 5 -k 3 --json | $JSON rows.0.kind rows.0.dim rows.0.queries wrong inputs.0.path

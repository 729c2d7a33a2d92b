"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" bench io --memory-limit 64MiB --features f.h5 --json | $JSON rows.0.stage rows.0.images rows.0.patches rows.0.dim wrong

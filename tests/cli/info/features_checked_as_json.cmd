"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" info f.h5 --check --json | $JSON files.0.sound files.0.finite files.0.zero_rows
"$DENSEVAL" info f.h5 --json | $JSON files.0.sound

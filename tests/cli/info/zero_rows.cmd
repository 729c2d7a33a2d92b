"$PYTHON" "$CLI/make_features.py" f.h5 --zero 2 0 --zero 2 1
"$DENSEVAL" info f.h5 --check --json

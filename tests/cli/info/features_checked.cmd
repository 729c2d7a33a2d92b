"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" info f.h5 --check

"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" eval --queries f.h5

"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" eval --features f.h5 --queries absent.h5

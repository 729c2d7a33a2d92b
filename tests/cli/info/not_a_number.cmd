"$PYTHON" "$CLI/make_features.py" f.h5 --nan 1 0
"$DENSEVAL" info --check f.h5

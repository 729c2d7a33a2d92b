"$PYTHON" "$CLI/make_features.py" --nan 1 0 f.h5
"$DENSEVAL" eval --features f.h5 --queries f.h5 -k 2

"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" eval --features f.h5 --queries f.h5 -k 3 --exclude-classes 0,1

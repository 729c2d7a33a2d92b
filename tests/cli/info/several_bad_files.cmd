"$PYTHON" "$CLI/make_features.py" a.h5 --zero 0 0
"$PYTHON" "$CLI/make_features.py" b.h5
"$PYTHON" "$CLI/make_features.py" c.h5 --nan 0 0
"$DENSEVAL" info --check a.h5 b.h5 c.h5

"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" bank build --features f.h5 --bins 0,45 --out b.h5

"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" bank build --features f.h5 --out b.h5 --quiet >/dev/null
"$DENSEVAL" info b.h5 --check

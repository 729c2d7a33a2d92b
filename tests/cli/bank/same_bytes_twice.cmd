"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" bank build --features f.h5 --per-image 1 --out a.h5 --quiet >/dev/null
"$DENSEVAL" bank build --features f.h5 --per-image 1 --out b.h5 --threads 1 --quiet >/dev/null
cmp a.h5 b.h5 && echo same

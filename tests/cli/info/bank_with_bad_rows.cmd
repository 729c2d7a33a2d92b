"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" bank build --features f.h5 --out b.h5 --quiet >/dev/null
"$PYTHON" -c "import h5py; rows = h5py.File('b.h5', 'a')['rows']; rows[2, 1] = float('inf'); rows[6] = 0"
"$DENSEVAL" info --check b.h5

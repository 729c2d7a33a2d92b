# HB-08: no query is no error.
"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" knn --features f.h5 --queries f.h5 -k 3 --images 2:2 --out k.h5 --json | $JSON queries
"$PYTHON" -c "import h5py; print(h5py.File('k.h5')['ids'].shape)"

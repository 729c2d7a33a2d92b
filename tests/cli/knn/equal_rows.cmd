# All cosines are 1, so ids rise from 0.
"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" knn --features f.h5 --queries f.h5 -k 3 --images 1:3 --out k.h5 --json | $JSON queries rows k search.exact
"$PYTHON" -c "import h5py; f = h5py.File('k.h5'); print(f['ids'][:].tolist(), f['cosines'][:].tolist())"

# HB-07: 0.255 where others have 0.225.
"$PYTHON" "$CLI/make_features.py" f.h5
cp f.h5 q.h5
"$PYTHON" -c "import h5py; h5py.File('q.h5', 'r+').attrs['std'] = [1.0, 2.0, 0.255]"
"$DENSEVAL" eval --features f.h5 --queries q.h5 -k 2 --force-mixed --json | $JSON settings.force_mixed images
"$DENSEVAL" eval --features f.h5 --queries q.h5 -k 2

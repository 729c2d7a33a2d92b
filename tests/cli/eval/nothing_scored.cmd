# R7: no value, whatever the C library calls a NaN. The names are the bank's where the queries have none.
"$PYTHON" "$CLI/make_features.py" f.h5
"$PYTHON" "$CLI/make_features.py" q.h5
"$PYTHON" -c "import h5py; f = h5py.File('q.h5', 'r+'); f['labels'][:] = 255; del f['class_names']"
"$DENSEVAL" eval --features f.h5 --queries q.h5 -k 2 --backend reference --allow-empty
"$DENSEVAL" eval --features f.h5 --queries q.h5 -k 2

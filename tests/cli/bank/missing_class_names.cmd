"$PYTHON" "$CLI/make_features.py" f.h5
"$PYTHON" -c "import h5py; f = h5py.File('f.h5', 'a'); del f['class_names']"
"$DENSEVAL" bank build --features f.h5 --out b.h5

"$PYTHON" "$CLI/make_features.py" f.h5 --label 0 0 0 7
"$PYTHON" -c "import h5py; f = h5py.File('f.h5', 'a'); del f['class_names']"
"$DENSEVAL" info --check --json f.h5 | $JSON files.0.sound

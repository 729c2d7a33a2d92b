# Every patch, row by row.
"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" bank build --features f.h5 --out b.h5 --json | $JSON schema rows dim dtype classes images
"$PYTHON" -c "import h5py; f = h5py.File('b.h5'); print(f['image'][:].tolist(), f['patch'][:].tolist(), f['pixel_counts'][:].tolist())"

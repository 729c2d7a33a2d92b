"$PYTHON" "$CLI/make_features.py" f.h5
cp f.h5 f2.h5
cp f.h5 f10.h5
"$DENSEVAL" info --json "f10.h5,f?.h5" f.h5 | $JSON files.0.path files.1.path files.2.path

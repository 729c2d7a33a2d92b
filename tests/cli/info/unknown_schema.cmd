"$PYTHON" "$CLI/make_features.py" f.h5 --schema 'denseval features v9'
"$DENSEVAL" info f.h5

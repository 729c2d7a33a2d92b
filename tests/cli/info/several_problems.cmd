"$PYTHON" "$CLI/make_features.py" f.h5 --nan 1 1 --zero 3 0 --zero 2 1 --label 0 1 2 7 --label 0 1 3 7
"$DENSEVAL" info f.h5 --check

# Found before the bank is built.
"$PYTHON" "$CLI/make_features.py" f.h5 --nan 1 1
"$DENSEVAL" knn --features f.h5 --queries nowhere.h5 --out k.h5

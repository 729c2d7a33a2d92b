"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" knn --features f.h5 --queries f.h5 -k 3 --out no/such/k.h5

"$PYTHON" "$CLI/make_knn.py" k.h5
"$DENSEVAL" info k.h5 --check

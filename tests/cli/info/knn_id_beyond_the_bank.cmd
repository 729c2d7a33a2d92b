"$PYTHON" "$CLI/make_knn.py" k.h5 --id 5
"$DENSEVAL" info k.h5 --check

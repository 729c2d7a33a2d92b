"$PYTHON" "$CLI/make_knn.py" k.h5 --cosine 1.5
"$DENSEVAL" info k.h5 --check

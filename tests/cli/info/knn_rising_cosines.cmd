"$PYTHON" "$CLI/make_knn.py" k.h5 --cosine 0.875
"$DENSEVAL" info k.h5 --check

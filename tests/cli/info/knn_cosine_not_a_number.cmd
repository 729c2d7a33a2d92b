"$PYTHON" "$CLI/make_knn.py" k.h5 --cosine nan
"$DENSEVAL" info k.h5 --check

# KNN-15: the result holds engine, version and which of its codes ran.
"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" knn --features f.h5 --queries f.h5 -k 3 --out k.h5 --backend faiss --json >result.json
status=$?
[ $status -eq 69 ] && exit 77 # built without FAISS
$JSON search.backend search.engine <result.json

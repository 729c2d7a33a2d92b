"$PYTHON" "$CLI/make_features.py" f.h5
"$PYTHON" "$CLI/make_features.py" q.h5 --nan 1 1 --zero 3 0
"$DENSEVAL" knn --features f.h5 --queries q.h5 -k 1 --out k.h5
status=$?
ls
exit $status

# R1: it stays as it was.
"$PYTHON" "$CLI/make_features.py" f.h5
echo mine >k.h5
"$DENSEVAL" knn --features f.h5 --queries f.h5 -k 3 --out k.h5
status=$?
cat k.h5
exit $status

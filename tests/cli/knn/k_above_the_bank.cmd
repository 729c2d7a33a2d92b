# Nothing is left under the name of the result.
"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" knn --features f.h5 --queries f.h5 -k 9 --out k.h5
status=$?
ls -A
exit $status

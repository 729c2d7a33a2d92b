"$PYTHON" "$CLI/make_features.py" f.h5
echo mine >b.h5
"$DENSEVAL" bank build --features f.h5 --out b.h5
status=$?
cat b.h5
exit $status

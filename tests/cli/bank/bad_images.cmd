"$PYTHON" "$CLI/make_features.py" f.h5 --nan 1 1 --zero 3 0
"$DENSEVAL" bank build --features f.h5 --out b.h5 --json
status=$?
ls b.h5 2>/dev/null
exit $status

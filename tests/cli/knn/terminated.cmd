"$PYTHON" "$CLI/make_features.py" f.h5
"$PYTHON" "$CLI/with_pending_signal.py" SIGTERM "$DENSEVAL" knn --features f.h5 --queries f.h5 -k 2 --out k.h5
status=$?
ls -A
exit $status

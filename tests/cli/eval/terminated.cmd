# No prediction folder is left, complete or not.
"$PYTHON" "$CLI/make_features.py" f.h5
"$PYTHON" "$CLI/with_pending_signal.py" SIGTERM "$DENSEVAL" eval --features f.h5 --queries f.h5 -k 2 --predictions maps
status=$?
ls -A
exit $status

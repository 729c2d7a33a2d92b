"$PYTHON" "$CLI/make_features.py" f.h5
"$PYTHON" "$CLI/with_pending_signal.py" SIGTERM "$DENSEVAL" bank build --features f.h5 --out bank.h5
status=$?
ls -A
exit $status

"$PYTHON" "$CLI/make_knn.py" k.h5
"$PYTHON" "$CLI/with_pending_signal.py" SIGTERM "$DENSEVAL" info --check k.h5

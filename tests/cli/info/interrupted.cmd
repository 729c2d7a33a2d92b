"$PYTHON" "$CLI/make_knn.py" k.h5
"$PYTHON" "$CLI/with_pending_signal.py" SIGINT "$DENSEVAL" info --check k.h5

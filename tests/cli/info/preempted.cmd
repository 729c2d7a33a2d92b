"$PYTHON" "$CLI/make_knn.py" k.h5
"$PYTHON" "$CLI/with_pending_signal.py" SIGUSR1 "$DENSEVAL" info --check k.h5

"$PYTHON" "$CLI/with_pending_signal.py" SIGTERM "$DENSEVAL" bench search --rows 500 --dims 8

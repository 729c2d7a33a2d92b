# What has not begun leaves nothing behind.
sh "$CLI/make_sweep.sh" > s.yaml
"$PYTHON" "$CLI/with_pending_signal.py" SIGUSR1 "$DENSEVAL" sweep s.yaml --out out
status=$?
ls out 2> /dev/null
exit $status

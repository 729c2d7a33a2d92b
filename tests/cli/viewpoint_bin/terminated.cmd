# A run that is asked to stop leaves no folder of links.
"$PYTHON" "$CLI/make_colmap.py" captures 1/a
"$PYTHON" "$CLI/with_pending_signal.py" SIGTERM "$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet --links out
status=$?
ls -A
exit $status

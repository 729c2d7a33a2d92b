# Both sizes are named, and no folder is left.
"$PYTHON" "$CLI/make_pictures.py" --narrow
"$DENSEVAL" overlay --images pictures --pred pred --out out
status=$?
ls
exit $status

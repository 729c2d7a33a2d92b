"$PYTHON" "$CLI/make_pictures.py" --narrow
"$DENSEVAL" overlay --images pictures --pred pred --out out --skip-bad --json | $JSON pictures skipped
ls out

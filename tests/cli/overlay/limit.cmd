"$PYTHON" "$CLI/make_pictures.py"
"$DENSEVAL" overlay --images pictures --pred pred --out out --limit 1 --json | $JSON pictures settings.limit
ls out

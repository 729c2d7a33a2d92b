"$PYTHON" "$CLI/make_pictures.py"
"$DENSEVAL" overlay --images pictures --pred pred --out out --mode difference

"$PYTHON" "$CLI/make_pictures.py"
"$DENSEVAL" overlay --images nowhere --pred pred --out out

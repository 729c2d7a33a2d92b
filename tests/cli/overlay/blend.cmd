"$PYTHON" "$CLI/make_pictures.py"
"$DENSEVAL" overlay --images pictures --pred pred --out out --mode blend
"$PYTHON" "$CLI/png_size.py" out/*

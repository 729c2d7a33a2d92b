"$PYTHON" "$CLI/make_colmap.py" model m 0 15
"$DENSEVAL" viewpoint bin --colmap m m

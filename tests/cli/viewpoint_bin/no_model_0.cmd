"$PYTHON" "$CLI/make_colmap.py" model m/1 0 15
"$DENSEVAL" viewpoint bin --colmap m

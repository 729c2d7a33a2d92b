"$PYTHON" "$CLI/make_colmap.py" model m
"$DENSEVAL" viewpoint bin --colmap m

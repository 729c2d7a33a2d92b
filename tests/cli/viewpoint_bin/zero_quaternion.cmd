"$PYTHON" "$CLI/make_colmap.py" model m 0 zero
"$DENSEVAL" viewpoint bin --colmap m

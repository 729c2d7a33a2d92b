"$PYTHON" "$CLI/make_colmap.py" model m 0 15 nan
"$DENSEVAL" viewpoint bin --colmap m

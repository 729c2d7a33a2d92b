# Cameras on a line.
"$PYTHON" "$CLI/make_colmap.py" model m 0 180
"$DENSEVAL" viewpoint bin --colmap m --angle object

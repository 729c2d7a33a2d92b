"$PYTHON" "$CLI/make_colmap.py" model m 0 15
printf x >>m/images.bin
"$DENSEVAL" viewpoint bin --colmap m

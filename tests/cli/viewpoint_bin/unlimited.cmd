"$PYTHON" "$CLI/make_colmap.py" model m 0 14 29 95
"$DENSEVAL" viewpoint bin --colmap m --bin-tolerance unlimited

"$PYTHON" "$CLI/make_colmap.py" model m 0 15
"$DENSEVAL" viewpoint bin --colmap m --angle object --up 0,0,1

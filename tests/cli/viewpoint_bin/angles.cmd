# A camera that turns about one axis: all three angles are the same, and the axis is found.
"$PYTHON" "$CLI/make_colmap.py" model m 0 30 60
"$DENSEVAL" viewpoint bin --colmap m --angle axis --bins 0:60:30
"$DENSEVAL" viewpoint bin --colmap m --angle object --up 0,2,0 --bins 0:60:30
"$DENSEVAL" viewpoint bin --colmap m --angle object --bins 0:60:30

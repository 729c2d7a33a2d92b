# The model in use is not the largest: said once.
"$PYTHON" "$CLI/make_colmap.py" model m/0 0 14 29
"$PYTHON" "$CLI/make_colmap.py" model m/1 0 14 29 45
"$DENSEVAL" viewpoint bin --colmap m --bins 0:30:15
"$DENSEVAL" viewpoint bin --colmap m --bins 0:45:15 --sparse-model largest

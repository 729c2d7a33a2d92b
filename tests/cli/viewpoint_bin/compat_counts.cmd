"$PYTHON" "$CLI/make_colmap.py" captures 1/a 1/b 2/c
touch in/1/a/images/8.jpg
"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet --compat hummingbird

"$PYTHON" "$CLI/make_colmap.py" captures 1/a 1/b 2/c
"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet --masks masks --mask-threshold 0 --skip-bad

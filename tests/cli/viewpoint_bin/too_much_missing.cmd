"$PYTHON" "$CLI/make_colmap.py" captures 1/a 1/b 2/c
rm -r in/1/a/sparse
"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet --max-missing 0.4

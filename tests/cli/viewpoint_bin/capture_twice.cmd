"$PYTHON" "$CLI/make_colmap.py" captures 1/a 1/b 2/c
mkdir other
cp -r in/1 other/1
"$DENSEVAL" viewpoint bin --colmap in,other --layout mvimgnet

"$PYTHON" "$CLI/make_colmap.py" captures 1/a 1/b 2/c
mkdir out
"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet --links out
status=$?
ls out
exit $status

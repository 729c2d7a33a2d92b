"$PYTHON" "$CLI/make_colmap.py" captures 1/a 1/b 2/c
"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet --links in --force
status=$?
ls
exit $status

"$PYTHON" "$CLI/make_colmap.py" captures 1/a 1/b 2/c
mkdir out
touch out/notes.txt
"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet --links out --force
status=$?
ls out
exit $status

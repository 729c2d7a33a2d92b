"$PYTHON" "$CLI/make_colmap.py" captures 1/a 1/b 2/c
rm in/1/b/images/4.jpg
"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet --skip-bad --json | $JSON partial skipped.0.name skipped.0.bad classes.0.objects

# Every reason for which a capture is skipped, beside those of the case skipped.
"$PYTHON" "$CLI/make_colmap.py" captures 1/a 1/b 1/c 1/d 1/e
rm -r masks/1/a
rm masks/1/b/*
mv in/1/c/sparse/0 in/1/c/sparse/1
"$PYTHON" "$CLI/make_colmap.py" model in/1/d/sparse/0
"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet --masks masks --quiet --json | $JSON skipped.0 skipped.1 skipped.2 skipped.3 objects.0.name classes.0.missing_captures

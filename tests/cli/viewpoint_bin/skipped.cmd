"$PYTHON" "$CLI/make_colmap.py" captures 1/a 1/b 2/c
rm -r in/1/a/sparse
rm in/1/b/images/*
mkdir -p in/papers/old
"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet --max-missing 1 --json | $JSON skipped classes.0.missing_captures classes.1.missing_captures partial

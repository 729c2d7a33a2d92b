# The second run replaces the links of the first, and repeats its bytes.
"$PYTHON" "$CLI/make_colmap.py" captures 1/a 1/b 2/c
"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet --links out >/dev/null
cp out/manifest.json first.json
"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet --links out --force --quiet >/dev/null && cmp first.json out/manifest.json && ls out out/1/0

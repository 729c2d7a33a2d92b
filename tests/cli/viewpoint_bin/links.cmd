"$PYTHON" "$CLI/make_colmap.py" captures 1/a 1/b 2/c
rm -r masks/2/c/2.jpg.png
"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet --masks masks --links out
find out -name "a_*" | sort
cat out/1/15/img/a_2.jpg
cat out/manifest.json | $JSON schema images.1 images.13.img partial settings.masks
ls out

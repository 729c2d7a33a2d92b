"$PYTHON" "$CLI/make_colmap.py" captures 1/a 1/b 2/c
rm in/1/b/images/4.jpg
printf x >in/2/c/sparse/0/images.bin
"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet 

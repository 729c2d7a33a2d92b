"$PYTHON" "$CLI/make_colmap.py" model m 0 15 30
head -c 250 m/images.bin >cut
mv cut m/images.bin
"$DENSEVAL" viewpoint bin --colmap m

"$PYTHON" "$CLI/make_colmap.py" text m 0 15 30
head -n 3 m/images.txt >cut
mv cut m/images.txt
"$DENSEVAL" viewpoint bin --colmap m

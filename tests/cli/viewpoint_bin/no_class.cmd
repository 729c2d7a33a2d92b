mkdir -p in/1/a
"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet 

"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet --max-missing 2

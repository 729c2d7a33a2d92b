"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet --force

"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet --mask-threshold 127

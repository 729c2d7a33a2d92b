"$DENSEVAL" viewpoint bin --colmap m --max-missing 0.5

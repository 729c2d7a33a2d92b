"$DENSEVAL" viewpoint bin --colmap m

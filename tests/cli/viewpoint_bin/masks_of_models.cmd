"$DENSEVAL" viewpoint bin --colmap m --masks masks

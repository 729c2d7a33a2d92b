"$DENSEVAL" viewpoint bin --colmap m --angle roll

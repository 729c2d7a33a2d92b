"$DENSEVAL" viewpoint bin --colmap m --bins 0:90

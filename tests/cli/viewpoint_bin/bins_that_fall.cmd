"$DENSEVAL" viewpoint bin --colmap m --bins 90:0:15

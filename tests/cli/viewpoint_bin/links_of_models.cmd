"$DENSEVAL" viewpoint bin --colmap m --links out

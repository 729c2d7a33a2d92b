"$DENSEVAL" viewpoint bin --colmap m --angle object --up 0,0,0

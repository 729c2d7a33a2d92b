"$DENSEVAL" viewpoint bin --colmap m --up 0,1,0

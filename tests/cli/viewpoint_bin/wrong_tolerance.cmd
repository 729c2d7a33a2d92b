"$DENSEVAL" viewpoint bin --colmap m --bin-tolerance wide

mkdir m
"$DENSEVAL" viewpoint bin --colmap m

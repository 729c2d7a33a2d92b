"$DENSEVAL" viewpoint

"$DENSEVAL" viewpoint bin --json

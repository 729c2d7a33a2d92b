"$DENSEVAL" viewpoint bin --help

"$DENSEVAL" viewpoint --help

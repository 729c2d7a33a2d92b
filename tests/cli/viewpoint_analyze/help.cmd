"$DENSEVAL" viewpoint analyze --help

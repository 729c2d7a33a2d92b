"$DENSEVAL" info --help

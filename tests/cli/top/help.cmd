"$DENSEVAL" --help

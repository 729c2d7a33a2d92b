"$DENSEVAL" bench search --help

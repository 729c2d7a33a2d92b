"$DENSEVAL" sweep --help

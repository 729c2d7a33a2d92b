"$DENSEVAL" overlay --help

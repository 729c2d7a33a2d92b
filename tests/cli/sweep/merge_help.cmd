"$DENSEVAL" sweep merge --help

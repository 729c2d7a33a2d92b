"$DENSEVAL" eval --help

"$DENSEVAL" bank --help

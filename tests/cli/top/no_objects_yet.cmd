"$DENSEVAL" objects --help

"$DENSEVAL" dining --help

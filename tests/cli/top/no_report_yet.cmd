"$DENSEVAL" report --help

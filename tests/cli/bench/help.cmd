"$DENSEVAL" bench --help

"$DENSEVAL" jf --help

"$DENSEVAL" --help >&-

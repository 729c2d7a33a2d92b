"$DENSEVAL" --help >/dev/full

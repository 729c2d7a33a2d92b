"$DENSEVAL" info >/dev/full

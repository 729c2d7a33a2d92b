"$DENSEVAL" info

"$DENSEVAL" bench

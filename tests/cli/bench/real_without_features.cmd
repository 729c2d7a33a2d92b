"$DENSEVAL" bench search --kind real

"$DENSEVAL" bench search --rows 1k,20 --dims 8

"$DENSEVAL" bench search --save-data data --json

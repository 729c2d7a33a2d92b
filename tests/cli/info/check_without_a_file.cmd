"$DENSEVAL" info --check

"$DENSEVAL" bank

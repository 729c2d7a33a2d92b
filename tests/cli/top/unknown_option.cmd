"$DENSEVAL" --jsno

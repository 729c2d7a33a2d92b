"$DENSEVAL" evil --queries x

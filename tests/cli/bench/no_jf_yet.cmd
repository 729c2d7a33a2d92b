"$DENSEVAL" bench jf

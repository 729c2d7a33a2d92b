"$DENSEVAL" bench jf --height 90

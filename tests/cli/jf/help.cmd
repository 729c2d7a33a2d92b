"$DENSEVAL" jf --help | head -4

"$DENSEVAL" objects --help | head -4

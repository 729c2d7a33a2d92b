"$DENSEVAL" dining --help | head -8
"$DENSEVAL" dining nutrition --help | head -4

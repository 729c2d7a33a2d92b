"$DENSEVAL" --version

"$DENSEVAL" sweeep --help

"$DENSEVAL" bank build --help

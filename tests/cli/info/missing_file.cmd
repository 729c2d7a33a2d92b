"$DENSEVAL" info absent.h5

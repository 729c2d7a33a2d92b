>empty.h5
"$DENSEVAL" info empty.h5

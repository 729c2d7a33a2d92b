"$DENSEVAL" info --chek a.h5

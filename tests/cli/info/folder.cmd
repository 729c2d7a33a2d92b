mkdir folder.h5
"$DENSEVAL" info folder.h5

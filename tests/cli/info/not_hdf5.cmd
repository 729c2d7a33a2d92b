echo nothing >notes.h5
"$DENSEVAL" info notes.h5

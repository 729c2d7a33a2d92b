"$DENSEVAL" bench search --features f.h5 --dims 32

"$DENSEVAL" eval --features a.h5 --queries b.h5 --bins 0,,30

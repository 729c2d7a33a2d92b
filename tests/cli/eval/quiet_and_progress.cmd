"$DENSEVAL" eval --bank a.h5 --queries b.h5 --quiet --progress

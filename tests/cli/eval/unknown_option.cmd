"$DENSEVAL" eval --bank a.h5 --querys b.h5

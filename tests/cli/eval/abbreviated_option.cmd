"$DENSEVAL" eval --bank a.h5 --quer b.h5

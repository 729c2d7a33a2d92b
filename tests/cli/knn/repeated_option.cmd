"$DENSEVAL" knn --bank a.h5 --bank b.h5

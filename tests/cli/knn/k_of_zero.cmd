"$DENSEVAL" knn --bank a.h5 --queries b.h5 --out c.h5 -k 0

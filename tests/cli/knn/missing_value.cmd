"$DENSEVAL" knn --bank

"$DENSEVAL" knn --help

"$DENSEVAL" knn --bank --json

"$DENSEVAL" bench search --runs 0

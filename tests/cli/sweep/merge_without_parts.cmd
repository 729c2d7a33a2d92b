"$DENSEVAL" sweep merge --out out

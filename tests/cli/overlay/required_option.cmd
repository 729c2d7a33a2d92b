"$DENSEVAL" overlay --images a --out c

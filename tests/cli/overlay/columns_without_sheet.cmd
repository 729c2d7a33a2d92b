"$DENSEVAL" overlay --images a --pred b --out c --columns 4

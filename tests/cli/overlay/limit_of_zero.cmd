"$DENSEVAL" overlay --images a --pred b --out c --limit 0

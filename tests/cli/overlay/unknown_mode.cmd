"$DENSEVAL" overlay --images a --pred b --out c --mode blnd

"$DENSEVAL" overlay --images a --pred b --out c --ignore-pixels 255,x

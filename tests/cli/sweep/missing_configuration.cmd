"$DENSEVAL" sweep absent.yaml --out out

# compat: hummingbird allows it, and it is told, once for each difficulty that is concerned.
SIZES="240, 2000, 3000" EXTRA="compat: hummingbird" sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --out out --plots none > table.txt
"$DENSEVAL" sweep s.yaml --out quiet --plots none --quiet > table.txt

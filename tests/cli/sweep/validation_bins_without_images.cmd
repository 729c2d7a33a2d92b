BINS="0, 7, 15, 20" sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --out out

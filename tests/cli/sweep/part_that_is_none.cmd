sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --cells 4/3 --out out

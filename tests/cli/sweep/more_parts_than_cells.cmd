sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --cells 1/7 --out out

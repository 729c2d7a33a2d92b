sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --cells 1/4 --out a --quiet > /dev/null
"$DENSEVAL" sweep s.yaml --cells 3/4 --out b --quiet > /dev/null
"$DENSEVAL" sweep merge a b --out out

sh "$CLI/make_sweep.sh" > s.yaml
mkdir out && touch out/mine
"$DENSEVAL" sweep s.yaml --out out

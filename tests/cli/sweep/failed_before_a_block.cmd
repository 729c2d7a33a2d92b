# What fails before its first block is finished leaves nothing in the way of another configuration.
sh "$CLI/make_sweep.sh" > s.yaml
EXTRA='k: 20' sh "$CLI/make_sweep.sh" > k20.yaml
"$DENSEVAL" sweep s.yaml --out out --plots none --memory-limit 1
echo "status $?"
ls out 2> /dev/null
"$DENSEVAL" sweep k20.yaml --out out --plots none --quiet > table.txt && echo good

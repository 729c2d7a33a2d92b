# The rows come in again for every block; the result is the same.
sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --out whole --plots none --quiet > table.txt
"$DENSEVAL" sweep s.yaml --out parts --plots none --memory-limit 200000 --block-images 7
cmp whole/results.json parts/results.json

# 16 images of 8 objects give a row each: 14 are left for a query.
SIZES=16 EXTRA="exclude: object
k: 15" sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --out out

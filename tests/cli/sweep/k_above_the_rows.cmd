# 31 rows asked for of 16 images are one each.
SIZES=31 EXTRA="k: 17" sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --out out

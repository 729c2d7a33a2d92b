# Cells without a value; the others are as ever.
BINS="0, 7, 15, 20" sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --out out --plots none --allow-empty --json | $JSON cells.1.bin cells.1.images cells.1.miou cells.0.images

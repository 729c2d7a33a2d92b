"$PYTHON" "$CLI/make_features.py" f.h5 --nan 1 1 --zero 3 0
FEATURES=f.h5 SIZES=3 BINS="0, 30" EXTRA="k: 1" sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --out out --plots none --skip-bad --json --allow-empty | $JSON cells.0.images cells.0.bank_rows cells.1.images
$JSON skipped_images < out/resources.json

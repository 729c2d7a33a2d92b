# The demo set has 8 images in each bin; of one with 3, the reference keeps none.
"$PYTHON" "$CLI/make_features.py" f.h5
FEATURES=f.h5 SIZES=12 EASY="0, 30" BINS="0, 30, 90" EXTRA="compat: hummingbird" sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --out out

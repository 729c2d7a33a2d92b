"$PYTHON" "$CLI/make_features.py" f.h5 --nan 1 1 --zero 3 0
FEATURES=f.h5 SIZES=3 BINS="0, 30" EXTRA="k: 1" sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --out out

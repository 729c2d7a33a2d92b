"$PYTHON" "$CLI/make_features.py" f.h5
BINS="0, 30" sh "$CLI/make_sweep.sh" | sed "s|^encoders: .*|encoders: [{name: a, features: $DATA/demo/features_early.h5}, {name: b, features: f.h5}]|" > s.yaml
"$DENSEVAL" sweep s.yaml --out out

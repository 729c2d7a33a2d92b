# Not even --force replaces a folder that holds an input.
mkdir in && cp "$DATA/demo/features_early.h5" in
FEATURES=in/features_early.h5 sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --out in --force

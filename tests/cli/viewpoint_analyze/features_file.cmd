"$DENSEVAL" viewpoint analyze --results "$DATA/demo/features_deep.h5" --out out

"$DENSEVAL" viewpoint analyze --plots none --results "$DATA/demo/features_deep.h5" --out out

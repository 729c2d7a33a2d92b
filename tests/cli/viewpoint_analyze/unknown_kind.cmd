"$DENSEVAL" viewpoint analyze --plots none --results "$DATA/demo/README.md" --out out

"$DENSEVAL" viewpoint analyze --results "$DATA/demo/README.md" --out out

"$DENSEVAL" viewpoint analyze --results a.csv --out out --threshold 0

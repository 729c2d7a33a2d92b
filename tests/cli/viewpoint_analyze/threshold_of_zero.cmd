"$DENSEVAL" viewpoint analyze --plots none --results a.csv --out out --threshold 0

"$DENSEVAL" viewpoint analyze --results nowhere.csv --out out

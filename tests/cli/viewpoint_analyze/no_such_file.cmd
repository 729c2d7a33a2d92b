"$DENSEVAL" viewpoint analyze --plots none --results nowhere.csv --out out

"$DENSEVAL" viewpoint analyze --plots none --results a.csv --bins 0,30,15 --out out

: >a_memory100.csv
"$DENSEVAL" viewpoint analyze --plots none --results a_memory100.csv --out out

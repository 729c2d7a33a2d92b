: >a_memory100.csv
"$DENSEVAL" viewpoint analyze --results a_memory100.csv --out out

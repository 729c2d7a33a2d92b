# Both files are what knn takes; the same call leaves the same bytes.
"$DENSEVAL" bench search --rows 40,60 --dims 8 --queries 12 --kind low-rank --save-data data
"$DENSEVAL" knn --features data/low-rank-60x8-bank.h5 --queries data/low-rank-60x8-queries.h5 --force-mixed -k 3 --out k.h5 --json | $JSON queries rows
cp data/low-rank-40x8-bank.h5 before.h5
"$DENSEVAL" bench search --rows 40 --dims 8 --queries 12 --kind low-rank --save-data data --force
cmp before.h5 data/low-rank-40x8-bank.h5
"$DENSEVAL" bench search --rows 40 --dims 8 --queries 12 --kind low-rank --save-data data

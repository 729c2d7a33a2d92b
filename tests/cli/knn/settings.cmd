# R13: what was in force, defaults included.
"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" knn --features f.h5 --queries f.h5 -k 3 --out a.h5 --json | $JSON settings
"$DENSEVAL" knn --features f.h5 --queries f.h5 -k 3 --out b.h5 --json --images 1:3 --classes 2 |
    $JSON settings.images settings.classes

# Every row is the same, so the two nearest are rows 0 (class 0) and 1 (class 1), a tie that class 0 wins everywhere.
# Class 0: 16 of its 16 pixels, and 15 of class 1; class 1: none of 15. IoU 16 / 31 and 0.
"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" eval --features f.h5 --queries f.h5 -k 2 --json |
    $JSON schema command miou mean_accuracy pixel_accuracy images patches confusion bank.rows search.exact settings.k

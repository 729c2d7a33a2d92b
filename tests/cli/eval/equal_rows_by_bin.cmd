# As equal_rows. Bins 0 and 30: class 0 has all pixels of both, IoU 1 / 2. Bin 90 is the first image, the ignored pixel is in bin 30.
"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" eval --features f.h5 --queries f.h5 -k 2 --json |
    $JSON bins.0.bin bins.0.images bins.0.confusion bins.0.miou bins.1.bin bins.1.confusion bins.2.bin bins.2.confusion

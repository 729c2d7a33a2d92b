# With a bank file the seed still draws the images of the bootstrap.
"$PYTHON" "$CLI/make_features.py" f.h5
"$DENSEVAL" bank build --features f.h5 --out bank.h5 --quiet >build.txt
"$DENSEVAL" eval --bank bank.h5 --queries f.h5 -k 2 --bootstrap 3 --seed 18446744073709551615 --json |
    $JSON settings.seed settings.bootstrap

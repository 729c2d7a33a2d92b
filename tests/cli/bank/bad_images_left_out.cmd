"$PYTHON" "$CLI/make_features.py" f.h5 --nan 1 1 --zero 3 0
"$DENSEVAL" bank build --features f.h5 --out b.h5 --json --skip-bad | $JSON rows images source_images skipped_images partial settings.skip_bad
"$DENSEVAL" eval --bank b.h5 --queries f.h5 -k 1 --skip-bad --json 2>/dev/null | $JSON images skipped_images bank.skipped_images partial
"$DENSEVAL" bank build --features f.h5 --out b.h5 --force --quiet --skip-bad
"$DENSEVAL" info b.h5 --check --json | $JSON files.0.skipped_images

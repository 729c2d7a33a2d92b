"$PYTHON" "$CLI/make_features.py" f.h5
"$PYTHON" "$CLI/make_features.py" q.h5 --nan 0 1 --label 2 0 0 9
"$DENSEVAL" eval --features f.h5 --queries q.h5 -k 1 --predictions p --skip-bad --json | $JSON images skipped_images bank.skipped_images partial settings.skip_bad
ls p
"$DENSEVAL" eval --features f.h5 --queries f.h5 -k 1 --json | $JSON skipped_images partial
"$DENSEVAL" eval --features f.h5 --queries q.h5 -k 1 --skip-bad --quiet | sed -n 2p

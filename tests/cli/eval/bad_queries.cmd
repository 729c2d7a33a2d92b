"$PYTHON" "$CLI/make_features.py" f.h5
"$PYTHON" "$CLI/make_features.py" q.h5 --images 30 --zero 29 1 --label 3 0 0 9 $(for i in $(seq 4 28); do echo "--nan $i 1"; done)
"$DENSEVAL" eval --features f.h5 --queries q.h5 -k 1 --predictions p --quiet
status=$?
ls
exit $status

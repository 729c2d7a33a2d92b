"$PYTHON" "$CLI/make_features.py" f.h5 --images 23 $(for i in $(seq 0 22); do echo "--nan $i 0"; done)
"$DENSEVAL" info f.h5 --check --quiet

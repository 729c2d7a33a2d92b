"$PYTHON" "$CLI/make_features.py" f.h5
cp f.h5 g.h5
"$DENSEVAL" eval --features f.h5 --queries g.h5 -k 1 --json | $JSON inputs.0.path inputs.1.path | sort

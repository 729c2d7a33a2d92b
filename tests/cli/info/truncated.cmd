"$PYTHON" "$CLI/make_features.py" f.h5
head -c 1500 f.h5 >cut.h5
"$DENSEVAL" info cut.h5

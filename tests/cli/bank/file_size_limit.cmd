# A file above the limit is a failed write, not a signal that kills.
"$PYTHON" "$CLI/make_features.py" f.h5
(ulimit -f 1; "$DENSEVAL" bank build --features f.h5 --out b.h5)
echo $?
ls -A | grep -v f.h5

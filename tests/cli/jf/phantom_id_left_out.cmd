# --skip-bad: the frames that show it.
"$PYTHON" "$CLI/make_masks.py" truth/a 4x6 5 1:0,0,4,3
"$PYTHON" "$CLI/make_masks.py" pred/a 4x6 5 1:0,0,4,3 2:0,4,4,1@1-2
"$DENSEVAL" jf --truth truth --pred pred --skip-bad --json | $JSON j_mean sequences.0.frames skipped.0.frame skipped.1.frame partial

# It has no contour: against nothing J is 0 and F 1.
"$PYTHON" "$CLI/make_masks.py" truth/a 10x10 1 1:0,0,10,10
"$PYTHON" "$CLI/make_masks.py" pred/a 10x10 1
"$DENSEVAL" jf --truth truth --pred pred --ends none --json | $JSON j_mean f_mean

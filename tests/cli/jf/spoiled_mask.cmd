# No result is kept from an earlier run.
"$PYTHON" "$CLI/make_masks.py" truth/a 10x10 3 1:0,0,4,4
"$PYTHON" "$CLI/make_masks.py" pred/a 10x10 3 1:0,0,4,4
"$DENSEVAL" jf --truth truth --pred pred --json 2>/dev/null | $JSON j_mean same
"$PYTHON" "$CLI/make_masks.py" pred/a 10x10 3 1:0,0,4,2
"$DENSEVAL" jf --truth truth --pred pred --json | $JSON j_mean same

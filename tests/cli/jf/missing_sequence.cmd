# All that is missing is listed.
"$PYTHON" "$CLI/make_masks.py" truth/a 10x10 3 1:0,0,4,4
"$PYTHON" "$CLI/make_masks.py" truth/b 10x10 3 1:0,0,4,4
"$PYTHON" "$CLI/make_masks.py" pred/a 10x10 2 1:0,0,4,4
"$DENSEVAL" jf --truth truth --pred pred
